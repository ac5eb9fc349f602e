internal import EscrowFiles
internal import Glibc
internal import Synchronization

/// Sealed copies that a host which stays keeps from one run to the next, as copying and hashing a large program is the slowest
/// part of a start.
///
/// A copy is sealed before it is hashed, and its digest is compared with the manifest at every use, so the bytes that run are
/// the bytes that were signed. The stamp shows that the file itself has changed.
final class SealedCache: Sendable {
    /// The most copies that are kept, and bytes of them.
    private static let mostFiles = 32
    private static let mostBytes = 256 << 20

    private struct Entry {
        let stamp: FileStamp
        let mode: SealedCopy.Mode
        let memory: Int32
        let digest: Digest
        let size: Int
    }
    private let entries = Mutex<[Entry]>([])

    deinit { entries.withLock { for entry in $0 { close(entry.memory) } } }

    /// The copy of a file that has not changed since; nil where there is none.
    func find(_ stamp: FileStamp, _ mode: SealedCopy.Mode) -> SealedCopy? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.stamp == stamp && $0.mode == mode }) else {
                return nil
            }
            let entry = entries.remove(at: index)
            entries.append(entry)
            let copy = fcntl(entry.memory, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { return nil }
            return SealedCopy(memory: Descriptor(owning: copy), digest: entry.digest, size: entry.size)
        }
    }

    /// Keeps a copy that was just made of the file with this stamp. Without a descriptor to spare it is not kept.
    func keep(_ file: borrowing SealedCopy, of stamp: FileStamp, _ mode: SealedCopy.Mode) {
        guard file.size <= Self.mostBytes else { return }
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { return }
        let entry = Entry(stamp: stamp, mode: mode, memory: copy, digest: file.digest, size: file.size)
        entries.withLock { entries in
            entries.append(entry)
            var bytes = entries.reduce(0) { $0 + $1.size }
            while entries.count > Self.mostFiles || bytes > Self.mostBytes {
                let oldest = entries.removeFirst()
                bytes -= oldest.size
                close(oldest.memory)
            }
        }
    }
}
