"""Section E: reaching anybody."""


def reach(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as s:
        s.settimeout(2)
        s.connect(address)
        s.send(b"x")
    return True


def NW_01(fx):
    """TCP to a listener of the host"""
    return reach(socket.AF_INET, ("127.0.0.1", fx["port"]))


def NW_02(fx):
    """a TCP socket for the world outside"""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
        s.setblocking(False)
        result = s.connect_ex(("192.0.2.1", 80))
        return must(result in (errno.EINPROGRESS, 0)) and "on its way"


def NW_03(fx):
    """a datagram, as for a name server"""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        return s.sendto(b"secret.example", ("127.0.0.1", 53))


def NW_04(fx):
    """a socket of IPv6"""
    return socket.socket(socket.AF_INET6, socket.SOCK_STREAM).fileno()


def NW_05(fx):
    """the address where clouds keep credentials"""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
        s.setblocking(False)
        return must(s.connect_ex(("169.254.169.254", 80)) == errno.EINPROGRESS)


def NW_06(fx):
    """a socket file of a daemon"""
    return reach(socket.AF_UNIX, fx["unixSocket"])


def NW_07(fx):
    """an abstract socket, which has no file"""
    return reach(socket.AF_UNIX, "\0" + fx["abstractSocket"])


def NW_08(fx):
    """a socket to the hypervisor"""
    return socket.socket(40, socket.SOCK_STREAM).fileno()


def NW_09a(fx):
    """netlink"""
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).fileno()


def NW_09b(fx):
    """the kernel's ciphers"""
    return socket.socket(38, socket.SOCK_SEQPACKET).fileno()


def NW_09c(fx):
    """raw packets"""
    return socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).fileno()


def NW_10(fx):
    """listen on every interface"""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
        s.bind(("0.0.0.0", 0))
        s.listen()
        return True


def NW_11(fx):
    """io_uring, which makes calls that no filter sees"""
    return syscall("io_uring_setup", 1, ctypes.create_string_buffer(120))


def NW_14(fx):
    """a reader of URLs"""
    import urllib.request
    return urllib.request.urlopen(f"http://127.0.0.1:{fx['port']}/", timeout=2).status


def NW_16(fx):
    """a datagram from one end of a socket pair to a socket of the host"""
    a, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return a.sendto(b"x", fx["datagramSocket"])


def NW_17(fx):
    """sendmsg to an address"""
    a, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return a.sendmsg([b"x"], [], 0, fx["datagramSocket"])
