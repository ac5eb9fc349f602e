internal import EscrowFiles
internal import Glibc

/// The file systems that are mounted, as proc(5) tells of them: which they are, and that they changed. What is mounted or
/// unmounted changes what a folder holds without an event in it.
package struct MountTable: ~Copyable {
    /// File systems that only this machine's kernel changes, so that inotify(7) tells of every change. Others (of the network, or
    /// of a program by FUSE) are listed anew by each query.
    private static let local: Set<String> = [
        "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "tmpfs", "vfat", "exfat", "ntfs3",
        "reiserfs", "jfs",
    ]

    private let raw = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    /// Types by the numbers of mounts, as long as none was mounted or unmounted.
    private var types: [Substring: Substring]?

    deinit { if raw >= 0 { close(raw) } }

    /// Whether something was mounted or unmounted since the last question, or that is not known: the file polls as an error
    /// once after each change.
    mutating func hasChanged() -> Bool {
        var waiting = pollfd(fd: raw, events: Int16(POLLPRI), revents: 0)
        guard raw >= 0, poll(&waiting, 1, 0) == 0 else {
            types = nil
            return true
        }
        return false
    }

    /// Whether an open folder lies on a file system all of whose changes this machine's kernel makes.
    mutating func isLocal(_ folder: borrowing Descriptor) -> Bool {
        guard let information = Self.text("/proc/self/fdinfo/\(folder.raw)"),
            let line = information.split(separator: "\n").first(where: { $0.hasPrefix("mnt_id:") }),
            let number = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).last
        else { return false }
        if types == nil { types = Self.text("/proc/self/mountinfo").map(Self.types) ?? [:] }
        guard let type = types?[number] else { return false }
        return Self.local.contains(String(type))
    }

    /// The types by the numbers of mounts: lines of `36 35 98:0 / /home rw master:1 - ext4 /dev/sda1 rw`.
    package static func types(_ text: String) -> [Substring: Substring] {
        var types: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let dash = words.firstIndex(of: "-"), dash + 1 < words.count else { continue }
            types[words[0]] = words[dash + 1]
        }
        return types
    }

    private static func text(_ path: String) -> String? {
        guard let file = try? Descriptor(opening: path, O_RDONLY) else { return nil }
        var text: [UInt8] = []
        while let piece = try? file.read(16 << 10) {
            if piece.isEmpty { return String(decoding: text, as: UTF8.self) }
            text += piece
        }
        return nil
    }
}
