"""Section B: writing files, and filling disks."""
import tempfile


def FW_01(fx):
    """write to a folder of the host that everybody may write to"""
    open(fx["folder"] + "/marker-FW-01", "w").write("x")
    return True


def FW_02(fx):
    """poison the next run through the interpreter's own library"""
    path = os.path.dirname(os.__file__) + "/sluice_attack.py"
    open(path, "w").write("")
    os.unlink(path)
    return path


def FW_03(fx):
    """append to a file in the user's home"""
    with open(fx["profile"], "a") as file:
        file.write("# attack\n")
    return True


def FW_04(fx):
    """leave a file in the host's folder for temporary files"""
    open("/tmp/" + fx["token"], "w").write("x")
    return "seen by the test if the host has it"


def FW_05(fx):
    """fill the private folder with one file"""
    with tempfile.TemporaryFile() as file:
        for _ in range(40):
            file.write(b"x" * (1 << 20))
            file.flush()
    return "40 MiB"


def FW_06(fx):
    """fill the private folder with many files"""
    with tempfile.TemporaryDirectory() as folder:
        for i in range(40):
            with open(f"{folder}/{i}", "wb") as file:
                file.write(b"x" * (1 << 20))
    return "40 MiB"


def FW_08(fx):
    """fill the shared memory of the host"""
    path = "/dev/shm/" + fx["token"]
    open(path, "wb").write(b"x" * (1 << 20))
    os.unlink(path)
    return path


def FW_09(fx):
    """a sparse file of a terabyte"""
    with tempfile.TemporaryFile() as file:
        file.truncate(1 << 40)
    return "1 TiB"


def FW_10(fx):
    """make a file of the host setuid"""
    os.chmod(fx["victimFile"], 0o4755)
    must(os.stat(fx["victimFile"]).st_mode & 0o4000)
    os.chmod(fx["victimFile"], 0o666)
    return True


def FW_11(fx):
    """write where the program was started"""
    open("marker-FW-11", "w").write("x")
    os.unlink("marker-FW-11")
    return os.getcwd() == "/tmp" and must(False)


def FW_12(fx):
    """leave a core file"""
    import resource
    return must(resource.getrlimit(resource.RLIMIT_CORE)[1] != 0)


def FW_13(fx):
    """change a file of the host through a new name"""
    os.rename(fx["profile"], fx["profile"] + "2")
    os.rename(fx["profile"] + "2", fx["profile"])
    return True


def FW_14(fx):
    """empty a file with truncate, without opening it"""
    libc.truncate.argtypes = [ctypes.c_char_p, ctypes.c_long]
    if libc.truncate(fx["victimFile"].encode(), 0) != 0:
        raise OSError(ctypes.get_errno(), "truncate")
    return True


def FW_15(fx):
    """give a file of the host another mode and another time"""
    os.utime(fx["public"], (0, 0))
    return True


def FW_16(fx):
    """write into the root of all folders"""
    path = "/" + fx["token"]
    open(path, "w").write("x")
    os.unlink(path)
    return True


def FW_17(fx):
    """remove a file of the host"""
    os.unlink(fx["removable"])
    return True


def FW_18(fx):
    """make an empty file in a folder of the host"""
    path = fx["folder"] + "/made-" + fx["token"]
    os.mknod(path)
    return True
