# Bytes, lines and tag pairs, for both machines.

ctypedef const unsigned char* Text
ctypedef Py_ssize_t Size
