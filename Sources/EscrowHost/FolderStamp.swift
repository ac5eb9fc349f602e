import Glibc

/// The state of files and folders as far as `stat` tells it: path, kind, size, inode, times of content and of entry, of
/// everything below some paths.
///
/// Nothing is left out by its name: what a source does not read changes the stamp too, which costs a copy and no truth.
struct FolderStamp {
    private var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private var count = 0
    private var newest: (seconds: Int, nanoseconds: Int) = (0, 0)
    private var isWhole = true

    /// More entries than this are not looked at: then there is no stamp.
    private static let mostEntries = 2_000_000
    private static let mostDepth = 64
    /// A change may hide behind the tick of a file system's clock; the coarsest, FAT's, is two seconds.
    private static let settlingSeconds = 2

    /// The stamp in words; nil if something could not be looked at, or changed so lately that a second change could hide
    /// behind the same times.
    var settled: String? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        guard isWhole, newest.seconds < now.tv_sec - Self.settlingSeconds else { return nil }
        return "\(count) \(String(hash, radix: 16))"
    }

    /// Adds a path that the owner named; a link there is followed, as the sources do.
    mutating func add(_ root: String) {
        var status = stat()
        guard stat(root, &status) == 0 else { return isWhole = false }
        mix(root, status)
        // A database changes in the files beside it first.
        for suffix in ["-wal", "-journal"] where status.st_mode & S_IFMT == S_IFREG {
            var beside = stat()
            if stat(root + suffix, &beside) == 0 { mix(root + suffix, beside) } else { mix(byte: 1) }
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            walk(open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), depth: 0)
        }
    }

    /// Takes the descriptor over. Links below are noted and not followed.
    private mutating func walk(_ descriptor: Int32, depth: Int) {
        guard descriptor >= 0, depth < Self.mostDepth, let folder = fdopendir(descriptor) else {
            if descriptor >= 0 { close(descriptor) }
            return isWhole = false
        }
        defer { closedir(folder) }
        // Names come in no order of their own, so each folder's entries are added up.
        var entries: [(name: [UInt8], status: stat)] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == Array(".".utf8) || name == Array("..".utf8) { continue }
            var status = stat()
            let found = (name + [0]).withUnsafeBytes {
                fstatat(
                    descriptor, $0.assumingMemoryBound(to: CChar.self).baseAddress!, &status,
                    AT_SYMLINK_NOFOLLOW)
            }
            guard found == 0, count + entries.count < Self.mostEntries else {
                isWhole = false
                return
            }
            entries.append((name, status))
        }
        entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for (name, status) in entries {
            mix(name, status)
            guard status.st_mode & S_IFMT == S_IFDIR else { continue }
            let child = (name + [0]).withUnsafeBytes {
                openat(
                    descriptor, $0.assumingMemoryBound(to: CChar.self).baseAddress!,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
            walk(child, depth: depth + 1)
        }
        // An end, so that no two trees read alike.
        mix(byte: 0)
    }

    private mutating func mix(_ name: some Sequence<UInt8>, _ status: stat) {
        count += 1
        for byte in name { mix(byte: byte) }
        mix(byte: 0)
        let (change, content) = (status.st_ctim, status.st_mtim)
        for number in [
            Int(status.st_mode), Int(status.st_size), Int(truncatingIfNeeded: status.st_ino),
            Int(truncatingIfNeeded: status.st_dev), change.tv_sec, change.tv_nsec, content.tv_sec,
            content.tv_nsec,
        ] {
            for shift in stride(from: 0, to: 64, by: 8) {
                mix(byte: UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        // The time of the entry alone: nobody but the machine's clock sets it.
        let time = (change.tv_sec, change.tv_nsec)
        if time > newest { newest = time }
    }

    private mutating func mix(_ path: String, _ status: stat) { mix(path.utf8, status) }

    private mutating func mix(byte: UInt8) {
        hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
}
