internal import EscrowFiles
package import Glibc

/// The names in one folder, sorted by their bytes, each with what the folder itself says that it is.
///
/// Names lie NUL-terminated in one arena: what is asked of the system for each takes no text of its own, and a hundred
/// thousand names are sorted in milliseconds.
package struct FolderEntries {
    package enum Kind: UInt8 {
        case file, folder, link, other
        /// The file system does not tell with the name.
        case untold

        /// By `d_type` of readdir(3).
        package init(type: UInt8) {
            switch Int(type) {
            case Int(DT_REG): self = .file
            case Int(DT_DIR): self = .folder
            case Int(DT_LNK): self = .link
            case Int(DT_UNKNOWN): self = .untold
            default: self = .other
            }
        }

        /// By `st_mode` of stat(2).
        package init(mode: mode_t) {
            switch mode & S_IFMT {
            case S_IFREG: self = .file
            case S_IFDIR: self = .folder
            case S_IFLNK: self = .link
            default: self = .other
            }
        }
    }

    package struct Item {
        fileprivate(set) var start: UInt32
        fileprivate(set) var count: UInt16
        package let kind: Kind
    }

    /// Sorted by name.
    package private(set) var items: [Item] = []
    /// Entries whose names are not UTF-8; they are left out.
    private(set) var badNames = 0
    /// Whether there were more than are listed.
    package private(set) var isCut = false
    private var names: [UInt8] = []

    /// Reads a folder; nil with `errno` set. Hidden entries are those whose name begins with a dot.
    package init?(of directory: borrowing Descriptor, readsHidden: Bool) {
        // fdopendir takes the descriptor over, so it gets one of its own.
        let copy = openat(directory.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return nil }
        guard let stream = fdopendir(copy) else {
            let code = errno
            close(copy)
            errno = code
            return nil
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let kind = Kind(type: entry.pointee.d_type)
            withUnsafeBytes(of: &entry.pointee.d_name) { name in
                add(UnsafeRawBufferPointer(rebasing: name.prefix { $0 != 0 }), kind, readsHidden)
            }
            if isCut { break }
        }
        sort()
    }

    package func name(_ item: Item) -> ArraySlice<UInt8> {
        names[Int(item.start)..<Int(item.start) + Int(item.count)]
    }

    package func withName<Result>(_ item: Item, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        names.withUnsafeBytes {
            body($0.baseAddress!.advanced(by: Int(item.start)).assumingMemoryBound(to: CChar.self))
        }
    }

    private mutating func add(_ name: UnsafeRawBufferPointer, _ kind: Kind, _ readsHidden: Bool) {
        guard let first = name.first else { return }
        if first == UInt8(ascii: ".") {
            let isSelfOrParent = name.count == 1 || name.count == 2 && name[1] == UInt8(ascii: ".")
            guard readsHidden, !isSelfOrParent else { return }
        }
        guard name.withMemoryRebound(to: UInt8.self, { $0.span.isUTF8 }) else {
            badNames += 1
            return
        }
        guard items.count < FileListing.fileLimit else {
            isCut = true
            return
        }
        items.append(Item(start: UInt32(names.count), count: UInt16(name.count), kind: kind))
        names.append(contentsOf: name)
        names.append(0)
    }

    /// Sorts by the first eight bytes in which names differ at all, and by the rest where those are the same: cameras give
    /// all names of a folder the same beginning.
    private mutating func sort() {
        guard let first = items.first, items.count > 1 else { return }
        names.withUnsafeBytes { names in
            func bytes(_ item: Item) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: names[Int(item.start)..<Int(item.start) + Int(item.count)])
            }
            var shared = Int(first.count)
            let model = bytes(first)
            for item in items.dropFirst() {
                let other = bytes(item)
                shared = min(shared, other.count)
                if memcmp(model.baseAddress!, other.baseAddress!, shared) != 0 {
                    shared = zip(model, other).prefix { $0 == $1 }.count
                }
            }
            var keyed = items.map { item in
                let rest = bytes(item).dropFirst(shared)
                var key: UInt64 = 0
                for byte in rest.prefix(8) { key = key << 8 | UInt64(byte) }
                return (key: key << UInt64(8 * (8 - min(8, rest.count))), item: item)
            }
            keyed.sort { left, right in
                if left.key != right.key { return left.key < right.key }
                let (a, b) = (bytes(left.item), bytes(right.item))
                let order = memcmp(a.baseAddress!, b.baseAddress!, min(a.count, b.count))
                return order == 0 ? a.count < b.count : order < 0
            }
            items = keyed.map(\.item)
        }
    }
}
