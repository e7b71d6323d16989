"""Section C: ways around paths."""


def PT_01(fx):
    """up through the parents of /tmp"""
    return open("/tmp/../../../../.." + fx["public"]).read()


def PT_02(fx):
    """a symbolic link to a secret"""
    link = fx["scratch"] + "/link-" + fx["token"]
    os.symlink(fx["secret"], link)
    try:
        return open(link).read()
    finally:
        os.unlink(link)


def PT_03(fx):
    """a hard link to a secret"""
    link = fx["folder"] + "/hard-" + fx["token"]
    os.link(fx["secret"], link)
    os.unlink(link)
    return True


def PT_04(fx):
    """/proc/self/root"""
    return open("/proc/self/root" + fx["public"]).read()


def PT_05(fx):
    """a file by its handle, without its path"""
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + b"\0" * 128)
    mount = ctypes.c_int()
    name = ctypes.c_char_p(fx["public"].encode())
    syscall("name_to_handle_at", -100, name, handle, ctypes.byref(mount), 0)
    return True


def PT_06(fx):
    """chroot, then up and out"""
    os.chroot(fx["scratch"])
    return True


def PT_07(fx):
    """a bind mount"""
    source = ctypes.c_char_p(fx["scratch"].encode())
    syscall("mount", source, source, 0, 4096, 0)
    syscall("umount2", source, 2)
    return True


def PT_10(fx):
    """fsopen: mounts without mount"""
    return syscall("fsopen", ctypes.c_char_p(b"tmpfs"), 0)


def PT_11(fx):
    """open_tree: a copy of the host's tree"""
    return syscall("open_tree", -100, ctypes.c_char_p(b"/"), 1)
