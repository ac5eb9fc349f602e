internal import Glibc

// Linux calls that glibc declares under _GNU_SOURCE only, which Swift's Glibc module does not define. Their arguments are
// plain integers and pointers, which C and Swift pass alike on both platforms that there are (System V x86-64, AAPCS64).

@_silgen_name("renameat2")
func renameat2(
    _ oldFolder: Int32, _ oldPath: UnsafePointer<CChar>, _ newFolder: Int32, _ newPath: UnsafePointer<CChar>,
    _ flags: UInt32
) -> Int32

/// Numbers from the kernel's headers, the same on every architecture that there is.
enum Linux {
    /// linux/fs.h
    static let renameNoReplace: UInt32 = 1
    static let renameExchange: UInt32 = 2
    /// asm-generic/fcntl.h
    static let openPathOnly: Int32 = 0o10000000
}
