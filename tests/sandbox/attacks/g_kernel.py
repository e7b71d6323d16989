"""Section G: the kernel's less known doors."""


def KX_01a(fx):
    """a user namespace"""
    return syscall("unshare", 0x10000000) == 0


def KX_01b(fx):
    """the namespaces of process 1"""
    return syscall("setns", os.open("/proc/1/ns/net", os.O_RDONLY), 0) == 0


def KX_01c(fx):
    """a thread in a namespace of its own"""
    return syscall("unshare", 0x04000000) == 0


def KX_02a(fx):
    """bpf"""
    attributes = ctypes.create_string_buffer(struct.pack("IIII", 2, 4, 4, 1) + b"\0" * 56)
    return syscall("bpf", 0, attributes, 72)


def KX_02b(fx):
    """perf_event_open"""
    attributes = ctypes.create_string_buffer(struct.pack("IIQ", 1, 112, 0) + b"\0" * 96)
    return syscall("perf_event_open", attributes, 0, -1, -1, 0)


def KX_02c(fx):
    """userfaultfd"""
    return syscall("userfaultfd", 1)


def KX_02d(fx):
    """the kernel's key ring"""
    return syscall("add_key", ctypes.c_char_p(b"user"), ctypes.c_char_p(b"sluice"),
                   ctypes.c_char_p(b"x"), 1, -2)


def KX_02e(fx):
    """the key ring of the session"""
    return syscall("keyctl", 0, -3, 1)


def KX_03a(fx):
    """the memory of another process"""
    local = ctypes.create_string_buffer(8)
    vector = ctypes.create_string_buffer(struct.pack("QQ", ctypes.addressof(local), 8))
    remote = ctypes.create_string_buffer(struct.pack("QQ", 0x1000, 8))
    try:
        return syscall("process_vm_readv", fx["victim"], vector, 1, remote, 1, 0)
    except OSError as error:
        must(error.errno == errno.EFAULT)  # it may; only the address was wrong
        return True


def KX_03b(fx):
    """the memory of another process, as a file"""
    return open(f"/proc/{fx['victim']}/mem", "rb").fileno()


def KX_04a(fx):
    """shared memory of System V"""
    return made("shm", syscall("shmget", 0, 4096, 0o1600))


def KX_04b(fx):
    """semaphores of System V"""
    return made("sem", syscall("semget", 0, 1, 0o1600))


def KX_04c(fx):
    """messages of System V"""
    return made("msg", syscall("msgget", 0, 0o1600))


def made(kind, number):
    """Takes away what was made: it would outlive the program."""
    remove = 0
    syscall(kind + "ctl", number, *([0] if kind == "sem" else []), remove, 0)
    return True


def KX_04d(fx):
    """POSIX message queues"""
    name = ctypes.c_char_p(fx["token"].encode())
    syscall("mq_open", name, os.O_CREAT, 0o600, 0)
    syscall("mq_unlink", name)
    return True


def KX_04e(fx):
    """a segment of shared memory that the host has made"""
    return syscall("shmget", fx["segment"], 0, 0) >= 0


def KX_05a(fx):
    """a device of its own making"""
    path = fx["scratch"] + "/device-" + fx["token"]
    os.mknod(path, 0o60600, os.makedev(254, 0))
    os.unlink(path)
    return True


def KX_05b(fx):
    """devices of the host"""
    for path in ["/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg", "/dev/port"]:
        try:
            return open(path, "rb").fileno()
        except OSError:
            pass
    raise Harmless()


def KX_05c(fx):
    """the kernel's log"""
    return syscall("syslog", 10, 0, 0)


def KX_06(fx):
    """keystrokes fed to a terminal (tried on a pipe: the refusal counts)"""
    import fcntl
    try:
        fcntl.ioctl(0, 0x5412, b"x")
    except OSError as error:
        must(error.errno in (errno.ENOTTY, errno.EINVAL, errno.EIO))
    return True


def KX_07(fx):
    """no more random addresses"""
    return syscall("personality", 0x0040000) >= 0


def KX_08(fx):
    """a namespace within the namespace"""
    return syscall("clone", 0x10000000 | 17, 0, 0, 0, 0) and True


def KX_10(fx):
    """another seccomp filter, which could hide errors from the program"""
    program = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7fff0000))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 1, ctypes.addressof(program)))
    syscall("prctl", 38, 1, 0, 0, 0)
    return syscall("seccomp", 1, 0, header) == 0


def KX_11(fx):
    """the clock of the machine"""
    return syscall("clock_settime", 0, ctypes.create_string_buffer(struct.pack("qq", -1, 0)))


def KX_12(fx):
    """the name of the machine"""
    return syscall("sethostname", ctypes.c_char_p(fx["hostname"].encode()), len(fx["hostname"])) == 0


def KX_13(fx):
    """memory that even the kernel cannot read"""
    return syscall("memfd_secret", 0)


def KX_14(fx):
    """pages bound to a node"""
    return syscall("set_mempolicy", 0, 0, 0) == 0


def KX_15(fx):
    """watch the files of the host"""
    return syscall("inotify_add_watch", syscall("inotify_init1", 0),
                   ctypes.c_char_p(fx["folder"].encode()), 2)


def KX_16(fx):
    """notes in the attributes of files of the host"""
    os.setxattr(fx["public"], "user.sluice", b"x")
    return True
