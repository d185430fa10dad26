"""The command over HTTP: every endpoint does what a command does, by the same functions, and says it as JSON.

A request is read here, checked, and handed as an errand to a process of its own, which has the options, messages and
functions of the command line (`errands`); it may be stopped at any time, and takes nobody down.
"""
