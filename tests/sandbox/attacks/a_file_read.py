"""Section A: reading what is none of the program's business."""


def FR_01(fx):
    """open /etc/passwd"""
    return open("/etc/passwd").read()


def FR_02(fx):
    """open /etc/shadow"""
    return open("/etc/shadow").read()


def FR_03(fx):
    """a file that everybody may read"""
    return open(fx["public"]).read()


def FR_04(fx):
    """a key of the user who started the run, mode 0600"""
    return open(fx["secret"]).read()


def FR_05(fx):
    """list the root, the home and the folder of the run"""
    for path in ["/", "/root", "/home", fx["folder"]]:
        try:
            if os.listdir(path):
                return path
        except OSError:
            pass
    raise Harmless()


def FR_06(fx):
    """hold-out data by its absolute path"""
    return open(fx["holdout"]).read()


def FR_07(fx):
    """the launcher's own file"""
    return open("/launch" if os.path.exists("/launch") else fx["launcher"], "rb").read()[:4]


def FR_08(fx):
    """whether a file of the host exists, by stat"""
    return os.stat(fx["secret"]).st_size


def FR_09(fx):
    """map a secret file into memory"""
    import mmap
    descriptor = os.open(fx["secret"], os.O_RDONLY)
    return mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)[:]


def FR_10(fx):
    """read through csv, configparser and a zip"""
    import csv
    return list(csv.reader(open(fx["public"])))


def FR_11(fx):
    """read through linecache, codecs, fileinput and tokenize"""
    import codecs
    import fileinput
    import linecache
    import tokenize
    for read in [
        lambda: linecache.getlines(fx["public"]),
        lambda: codecs.open(fx["public"]).read(),
        lambda: list(fileinput.input(fx["public"])),
        lambda: tokenize.open(fx["public"]).read(),
    ]:
        try:
            if read():
                return True
        except OSError:
            pass
    raise Harmless()


def FR_12(fx):
    """openat2 with flags that path checks forget"""
    how = struct.pack("QQQ", os.O_RDONLY, 0, 0)
    name = ctypes.c_char_p(fx["public"].encode())
    descriptor = syscall("openat2", -100, name, ctypes.c_char_p(how), len(how))
    return os.read(descriptor, 10)
