"""Runs a program and writes down what it hears (>) and says (<): for crates/lab/tests/engines/.

usage: record_engine.py FILE PROGRAM ARGUMENTS…, within engine:uci:"…" or engine:gtp:"…"
"""

import subprocess
import sys
import threading


def main():
    lock = threading.Lock()
    with open(sys.argv[1], "w", encoding="utf-8") as record:
        child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def note(mark, line):
            with lock:
                record.write(f"{mark} {line.decode().rstrip()}".rstrip() + "\n")
                record.flush()

        def listen():
            for line in child.stdout:
                note("<", line)
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()

        threading.Thread(target=listen, daemon=True).start()
        for line in sys.stdin.buffer:
            note(">", line)
            child.stdin.write(line)
            child.stdin.flush()
        child.stdin.close()
        child.wait()


if __name__ == "__main__":
    main()
