public import Glibc

/// A file in memory without a name: memfd_create(2). Calls return an errno, 0 for none, as each caller words its own error.
public enum MemoryFile {
    /// A new one that closes on exec and may be sealed, or the negated errno. `name` is what `/proc` shows.
    public static func make(_ name: String) -> Int32 {
        // MFD_EXEC is asked for by name where the kernel knows it: a machine may make "not executable" the default.
        let flags = closeOnExec | allowSealing
        var file = memfdCreate(name, flags | executable)
        if file < 0, errno == EINVAL { file = memfdCreate(name, flags) }
        return file < 0 ? -errno : file
    }

    /// Fixes size and content for good, and who may use it by a path of `/proc`.
    public static func seal(_ file: borrowing Descriptor, mode: mode_t) -> Int32 {
        guard fchmod(file.raw, mode) == 0 else { return errno }
        // Without a mode that can change, too, where the kernel has that seal.
        if fcntl(file.raw, addSeals, seals | sealExec) == 0 { return 0 }
        return fcntl(file.raw, addSeals, seals) == 0 ? 0 : errno
    }

    /// Whether size and content can never change again.
    public static func isSealed(_ file: Int32) -> Bool {
        let found = fcntl(file, getSeals)
        let needed = sealShrink | sealGrow | sealWrite
        return found >= 0 && found & needed == needed
    }

    // Of linux/memfd.h and linux/fcntl.h, the same on every architecture; Swift's Glibc does not show them.
    private static let closeOnExec: UInt32 = 0x01
    private static let allowSealing: UInt32 = 0x02
    private static let executable: UInt32 = 0x10
    private static let addSeals: Int32 = 1033
    private static let getSeals: Int32 = 1034
    private static let sealShrink: Int32 = 0x02
    private static let sealGrow: Int32 = 0x04
    private static let sealWrite: Int32 = 0x08
    private static let sealExec: Int32 = 0x20
    private static let seals = 0x01 | sealShrink | sealGrow | sealWrite
}

/// glibc declares it under _GNU_SOURCE only. Its arguments are plain integers and pointers, which C and Swift pass alike.
@_silgen_name("memfd_create")
private func memfdCreate(_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32
