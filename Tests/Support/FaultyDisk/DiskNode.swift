import Glibc

/// A file or a folder as a disk holds it, with what was changed since it was last waited for.
final class DiskNode {
    /// A change that is not on the disk yet.
    enum Change {
        case write(Int64, [UInt8])
        case truncate(Int64)
        case set(String, DiskNode)
        case remove(String)
        case rename(String, String, DiskNode)
    }

    private let isFolder: Bool
    /// What programs see of a folder.
    private(set) var names: [String: DiskNode] = [:]
    /// What the disk holds.
    private var bytes: [UInt8] = []
    private var durableNames: [String: DiskNode] = [:]
    private var changes: [Change] = []

    private init(isFolder: Bool) { self.isFolder = isFolder }

    static func file() -> DiskNode { DiskNode(isFolder: false) }
    static func folder() -> DiskNode { DiskNode(isFolder: true) }

    /// Takes what lies at a path for what the disk holds.
    func load(_ path: String) throws {
        guard isFolder else {
            bytes = try Self.read(path)
            return
        }
        guard let listing = opendir(path) else { throw DiskError(path: path, reason: errno) }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let node = Int32(entry.pointee.d_type) == Int32(DT_DIR) ? DiskNode.folder() : .file()
            try node.load("\(path)/\(name)")
            names[name] = node
        }
        durableNames = names
    }

    /// Notes a change.
    func change(_ change: Change) {
        changes.append(change)
        Self.apply(change, to: &names)
    }

    /// What was changed is on the disk. fsync(2)
    func settle() {
        for change in changes {
            Self.apply(change, to: &bytes)
            Self.apply(change, to: &durableNames)
        }
        changes = []
    }

    /// The disk refused what was changed: it counts as written and is not. Names are kept in memory and come later.
    func forgetChanges() { if !isFolder { changes = [] } }

    /// Writes what a power cut leaves into a new file or folder.
    func write(_ loss: inout PowerLoss, to path: String) throws {
        guard isFolder else { return try Self.write(remains(&loss), path) }
        guard mkdir(path, 0o700) == 0 else { throw DiskError(path: path, reason: errno) }
        var left = durableNames
        // A journal keeps the order: there is a first change that is lost, and with it all later ones.
        for change in changes where keepsNames(&loss) { Self.apply(change, to: &left) }
        for (name, node) in left.sorted(by: { $0.key < $1.key }) {
            try node.write(&loss, to: "\(path)/\(name)")
        }
    }

    private var isCutOff = false

    private func keepsNames(_ loss: inout PowerLoss) -> Bool {
        switch loss {
        case .nothing, .bytes, .halfTheLastWrite: return true
        case .everything: return false
        case .some:
            isCutOff = isCutOff || loss.coin()
            return !isCutOff
        }
    }

    private func remains(_ loss: inout PowerLoss) -> [UInt8] {
        var left = bytes
        for (index, change) in changes.enumerated() {
            switch (loss, change) {
            case (.nothing, _): Self.apply(change, to: &left)
            case (.everything, _): break
            case (.bytes, .write(let at, let written)):
                let end = Int(at) + written.count
                if left.count < end { left += repeatElement(0, count: end - left.count) }
            case (.halfTheLastWrite, .write(let at, let written)) where index == changes.count - 1:
                Self.apply(.write(at, Array(written.prefix(written.count / 2))), to: &left)
            case (.bytes, _), (.halfTheLastWrite, _): Self.apply(change, to: &left)
            case (.some, _): if loss.coin() { Self.apply(change, to: &left) }
            }
        }
        return left
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(let at, let written):
            let end = Int(at) + written.count
            if bytes.count < end { bytes += repeatElement(0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(at)..<end, with: written)
        case .truncate(let length):
            let length = Int(length)
            if bytes.count > length { bytes.removeLast(bytes.count - length) }
            bytes += repeatElement(0, count: length - bytes.count)
        case .set, .remove, .rename: break
        }
    }

    private static func apply(_ change: Change, to names: inout [String: DiskNode]) {
        switch change {
        case .set(let name, let node): names[name] = node
        case .remove(let name): names[name] = nil
        case .rename(let old, let new, let node):
            names[old] = nil
            names[new] = node
        case .write, .truncate: break
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw DiskError(path: path, reason: errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        guard let file = fopen(path, "w") else { throw DiskError(path: path, reason: errno) }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else { throw DiskError(path: path, reason: EIO) }
    }
}

/// The real disk refused something.
struct DiskError: Error {
    let path: String
    let reason: Int32
}
