# Runs a program in a pseudo-terminal. Orders come as lines of JSON on standard input, the program's output goes to standard
# output as it is, and the end is told on descriptor 3 with the modes that the terminal was left in.
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios

columns, rows, argv = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(argv[0], argv)


def resize(columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


resize(columns, rows)
# Our own side of the terminal stays open after the program's end, so that its modes can be asked for.
watched = [terminal, 0]
orders = b""
while True:
    ready, _, _ = select.select(watched, [], [], 0.05)
    if terminal in ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            data = b""
        if data:
            os.write(1, data)
        else:
            watched.remove(terminal)
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            os.kill(pid, signal.SIGKILL)
            watched.remove(0)
        orders += data
        *lines, orders = orders.split(b"\n")
        for line in lines:
            order = json.loads(line)
            if "keys" in order:
                os.write(terminal, order["keys"].encode())
            if "size" in order:
                resize(*order["size"])
            if "signal" in order:
                os.kill(pid, getattr(signal, order["signal"]))
    if terminal not in watched or not ready:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
modes = termios.tcgetattr(terminal)[3]
told = {
    "code": os.waitstatus_to_exitcode(status),
    "echo": bool(modes & termios.ECHO),
    "lines": bool(modes & termios.ICANON),
}
os.write(3, json.dumps(told).encode())
