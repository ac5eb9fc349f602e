import Glibc

/// The kernel's word that nobody else opens a file for as long as this is held: a lease for writing (fcntl(2), F_SETLEASE).
///
/// For a file in memory that this process made. Whoever else opens it, by `/proc/PID/fd`, waits until the lease is given back, and
/// `isKept` is false from then on. Who may trace this process can take its descriptors without opening anything; from them
/// nothing is kept.
public struct FileLease: ~Copyable {
    private let file: Descriptor

    /// Nil where somebody else has the file open, or where the kernel gives no lease.
    public init?(_ file: borrowing Descriptor) {
        // A lease is given where its holder is the only one who opened the file. A descriptor of memfd_create(2) counts as none.
        let opened = Descriptor(owning: open("/proc/self/fd/\(file.raw)", O_RDWR | O_CLOEXEC))
        // The kernel tells by a signal that another wants the file: one that is ignored, and not SIGIO, which ends a process.
        guard fcntl(opened.raw, Self.setSignal, SIGURG) == 0, fcntl(opened.raw, Self.setLease, F_WRLCK) == 0
        else { return nil }
        self.file = opened
    }

    /// Whether nobody else opened the file since.
    public var isKept: Bool { fcntl(file.raw, Self.getLease) == F_WRLCK }

    // Of linux/fcntl.h; Swift's Glibc does not show them.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025
}
