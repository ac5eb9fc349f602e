internal import EscrowFiles
internal import Glibc
internal import Synchronization

/// Sealed copies that a host which stays keeps from one run to the next, since to copy and hash a large program takes
/// longer than all else.
///
/// Nothing is taken on trust from it. A copy is sealed before it is hashed, so its digest is that of its bytes for as long as
/// it lives, and whoever gets it compares that digest with today's manifest, as for a copy made just now: the bytes that run
/// are the bytes that were signed, whatever happened to the file since. The stamp only keeps a changed file from going
/// unnoticed until the host ends.
public final class SealedCache: Sendable {
    /// The most copies that are kept, and bytes of them.
    private static let mostFiles = 32
    private static let mostBytes = 256 << 20

    private struct Entry {
        let stamp: FileStamp
        let mode: SealedFile.Mode
        let memory: Int32
        let digest: Digest
        let size: Int
    }
    /// What the manifests say that were read lately.
    let readings = ManifestReadings()
    /// The copy used last is last.
    private let entries = Mutex<[Entry]>([])

    /// An empty cache.
    public init() {}

    deinit { entries.withLock { for entry in $0 { close(entry.memory) } } }

    /// The copy of a file that has not changed since; nil where there is none.
    func find(_ stamp: FileStamp, _ mode: SealedFile.Mode) -> SealedFile? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.stamp == stamp && $0.mode == mode }) else {
                return nil
            }
            let entry = entries.remove(at: index)
            entries.append(entry)
            let copy = fcntl(entry.memory, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { return nil }
            return SealedFile(memory: Descriptor(owning: copy), digest: entry.digest, size: entry.size)
        }
    }

    /// Keeps a copy that was just made of the file with this stamp. Without a descriptor to spare it is not kept.
    func keep(_ file: borrowing SealedFile, of stamp: FileStamp, _ mode: SealedFile.Mode) {
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
