"""Stands for the host: daemons on sockets that count who comes, and a process that may be hurt."""
import ctypes
import json
import os
import selectors
import socket
import subprocess
import sys

folder, abstract = sys.argv[1:]
tcp = socket.create_server(("127.0.0.1", 0))
path = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
path.bind(folder + "/daemon.sock")
os.chmod(folder + "/daemon.sock", 0o777)
path.listen()
hidden = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
hidden.bind("\0" + abstract)
hidden.listen()
datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
datagrams.bind(folder + "/datagrams.sock")
os.chmod(folder + "/datagrams.sock", 0o777)

key = int.from_bytes(os.urandom(3), "big") + 1
libc = ctypes.CDLL(None)
segment = libc.shmget(key, 4096, 0o1666)
victim = subprocess.Popen(["sleep", "3600"])

selector = selectors.DefaultSelector()
for listener in (tcp, path, hidden, datagrams, sys.stdin):
    selector.register(listener, selectors.EVENT_READ)
print(json.dumps({"port": tcp.getsockname()[1], "pid": victim.pid, "segment": key}), flush=True)

hits = 0
while True:
    for key, _ in selector.select():
        if key.fileobj is sys.stdin:
            if not sys.stdin.readline():
                victim.kill()
                libc.shmctl(segment, 0, None)
                sys.exit()
            alive = victim.poll() is None
            print(json.dumps({"hits": hits, "alive": alive}), flush=True)
            hits = 0
            continue
        hits += 1
        if key.fileobj is datagrams:
            datagrams.recv(100)
        elif key.fileobj is tcp:
            connection, _ = tcp.accept()
            connection.settimeout(1)
            try:
                connection.recv(1000)
                connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            except OSError:
                pass
            connection.close()
        else:
            key.fileobj.accept()[0].close()
