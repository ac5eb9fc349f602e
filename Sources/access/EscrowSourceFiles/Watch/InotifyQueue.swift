internal import EscrowFiles
internal import Glibc

/// What the kernel says of changes in folders: inotify(7), read when somebody asks and by no thread of its own.
///
/// An event is in the queue before the call that made the change returns, so who asks after it sees it.
package struct InotifyQueue: ~Copyable {
    /// Events of one reading, folder by folder.
    package struct Changes {
        /// Names that changed, by the folder's number.
        package var names: [Int32: Set<[UInt8]>] = [:]
        /// Folders of which more than single names changed, or that are watched no more.
        package var folders: Set<Int32> = []
        /// Whether events were lost.
        package var isCut = false

        package init() {}

        package var isEmpty: Bool { names.isEmpty && folders.isEmpty && !isCut }
    }

    /// Why a folder is not watched.
    package enum Refusal: Error {
        /// The individual's limit of watches, `fs.inotify.max_user_watches`, is reached.
        case limit
        case other
    }

    private let raw: Int32

    /// Opens a queue; nil if the system gives none.
    package init?() {
        raw = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard raw >= 0 else { return nil }
    }

    deinit { close(raw) }

    /// Watches the very folder that is open, whatever has its name by now, and returns its number.
    package func watch(_ folder: borrowing Descriptor) throws(Refusal) -> Int32 {
        let mask =
            IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
            | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        let number = inotify_add_watch(raw, "/proc/self/fd/\(folder.raw)", UInt32(mask))
        guard number >= 0 else { throw errno == ENOSPC ? .limit : .other }
        return number
    }

    /// Watches a folder no more. Events that it made before may still come.
    func forget(_ number: Int32) { inotify_rm_watch(raw, number) }

    /// Takes all events that there are.
    package func take() -> Changes {
        var changes = Changes()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(raw, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return changes }
            guard count > 0 else {
                changes.isCut = true
                return changes
            }
            buffer.withUnsafeBytes { Self.parse(.init(rebasing: $0[..<count]), into: &changes) }
        }
    }

    /// Reads `struct inotify_event`s: number, mask, cookie, length of the name, the name and NULs.
    package static func parse(_ bytes: UnsafeRawBufferPointer, into changes: inout Changes) {
        var at = 0
        while at + 16 <= bytes.count {
            let number = bytes.loadUnaligned(fromByteOffset: at, as: Int32.self)
            let mask = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
            let length = Int(bytes.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
            guard length <= bytes.count - at - 16 else { break }
            let name = bytes[(at + 16)..<(at + 16 + length)].prefix { $0 != 0 }
            at += 16 + length
            if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                changes.isCut = true
            } else if name.isEmpty {
                changes.folders.insert(number)
            } else {
                changes.names[number, default: []].insert(Array(name))
            }
        }
    }
}
