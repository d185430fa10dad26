"""The command ``caipan`` as a process of its own."""

from pipeline import interrupts


def main() -> None:
    interrupts.begin()  # before what takes time to load
    try:
        from pipeline.cli import main

        main()
    finally:
        interrupts.end()


if __name__ == "__main__":
    main()
