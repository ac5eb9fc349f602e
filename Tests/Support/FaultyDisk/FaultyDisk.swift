import CFaults
public import Glibc

/// A folder on a disk that fails at one chosen call, and that knows what would be left of it if the power went.
///
/// The calls of the thread that runs ``run(_:at:_:)`` go to the real file system, and beside it into a model that tells
/// what was waited for with fsync(2) from what was not. Nothing is ever really waited for, so that thousands of runs take
/// seconds.
public final class FaultyDisk {
    /// What goes wrong.
    public enum Fault: Sendable, Hashable, CaseIterable {
        /// A call that needs room fails: ENOSPC.
        case full
        /// Any call fails: EIO. What a failed fsync(2) was to make durable never will be, as on Linux.
        case broken
        /// A write writes less than it was given, which is no error.
        case short
        /// A write writes less than it was given, and all that need room fail from then on.
        case shortThenFull
        /// Nothing reaches the disk any more.
        case powerCut
    }

    /// How many calls on files of the folder there were in the last run.
    public private(set) var calls = 0
    /// Whether the fault came to pass in the last run.
    public private(set) var hasStruck = false

    private let root: String
    private let folder = DiskNode.folder()
    private var open: [Int32: DiskNode] = [:]
    private var positions: [Int32: Int64] = [:]
    private var fault: (kind: Fault, turn: Int)?

    /// Takes a folder as it is for what is on the disk.
    public init(_ root: String) throws {
        self.root = root
        try folder.load(root)
    }

    /// Runs something on this disk, where the call of a number fails; the first is 1, and nil is for none.
    public func run(_ fault: Fault?, at turn: Int, _ body: () throws -> Void) rethrows {
        self.fault = fault.map { ($0, turn) }
        calls = 0
        hasStruck = false
        open = [:]
        positions = [:]
        faults_begin(
            { context, event in
                guard let context, let event else { return 0 }
                return Unmanaged<FaultyDisk>.fromOpaque(context).takeUnretainedValue().answer(event.pointee)
            },
            { context, event, result in
                guard let context, let event else { return }
                Unmanaged<FaultyDisk>.fromOpaque(context).takeUnretainedValue().note(event.pointee, result)
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { faults_end() }
        try body()
    }

    /// Writes what would be on the disk if the power went now into a new folder.
    public func restore(_ loss: PowerLoss, to path: String) throws {
        var loss = loss
        try folder.write(&loss, to: path)
    }

    /// Whether a call is about the folder at all.
    private func concerns(_ event: faults_event) -> Bool {
        guard let path = event.path else { return open[event.descriptor] != nil }
        return node(String(cString: path)) != nil || parent(of: String(cString: path)) != nil
    }

    /// What is to become of a call: see `faults_decide`.
    private func answer(_ event: faults_event) -> Int64 {
        guard concerns(event) else { return 0 }
        calls += 1
        guard let fault, calls >= fault.turn else { return 0 }
        let isTurn = calls == fault.turn
        let makes = event.call == FAULTS_OPEN && event.flags & O_CREAT != 0
        let needsRoom = makes || event.call == FAULTS_WRITE || event.call == FAULTS_MKDIR
        let half = event.call == FAULTS_WRITE && event.count > 1 ? -(event.count / 2) : 0
        switch fault.kind {
        case .powerCut:
            hasStruck = true
            return Int64(EIO)
        case .broken:
            guard isTurn else { return 0 }
            hasStruck = true
            if event.call == FAULTS_SYNC { open[event.descriptor]?.forgetChanges() }
            return Int64(EIO)
        case .full:
            guard isTurn, needsRoom else { return 0 }
            hasStruck = true
            return Int64(ENOSPC)
        case .short:
            guard isTurn, half != 0 else { return 0 }
            hasStruck = true
            return half
        case .shortThenFull:
            if isTurn, half != 0 { hasStruck = true }
            guard hasStruck else { return 0 }
            return isTurn ? half : needsRoom ? Int64(ENOSPC) : 0
        }
    }

    /// Keeps the model in step with a call that was made.
    private func note(_ event: faults_event, _ result: Int64) {
        let path = event.path.map { String(cString: $0) } ?? ""
        switch event.call {
        case FAULTS_OPEN:
            open[event.descriptor] = nil
            positions[event.descriptor] = 0
            if node(path) == nil, event.flags & O_CREAT != 0, let (folder, name) = parent(of: path) {
                folder.change(.set(name, .file()))
            }
            guard let found = node(path) else { return }
            if event.flags & O_TRUNC != 0 { found.change(.truncate(0)) }
            open[event.descriptor] = found
        case FAULTS_WRITE:
            guard let node = open[event.descriptor] else { return }
            let bytes = Array(UnsafeBufferPointer(start: event.bytes, count: Int(result)))
            let at = event.offset < 0 ? positions[event.descriptor, default: 0] : event.offset
            if event.offset < 0 { positions[event.descriptor] = at + result }
            node.change(.write(at, bytes))
        case FAULTS_TRUNCATE: open[event.descriptor]?.change(.truncate(event.count))
        case FAULTS_SYNC: open[event.descriptor]?.settle()
        case FAULTS_MKDIR:
            if let (folder, name) = parent(of: path) { folder.change(.set(name, .folder())) }
        case FAULTS_UNLINK, FAULTS_RMDIR:
            if let (folder, name) = parent(of: path) { folder.change(.remove(name)) }
        case FAULTS_RENAME:
            let target = event.target.map { String(cString: $0) } ?? ""
            guard let moved = node(path), let (from, old) = parent(of: path),
                let (to, new) = parent(of: target)
            else { return }
            precondition(from === to, "a rename between folders is not modelled")
            from.change(.rename(old, new, moved))
        default: break
        }
    }

    /// The parts of a path below the folder; nil for a path elsewhere.
    private func parts(_ path: String) -> [String]? {
        guard path == root || path.hasPrefix(root + "/") else { return nil }
        return path.dropFirst(root.count).split(separator: "/").map(String.init)
    }

    private func node(_ path: String) -> DiskNode? {
        guard let parts = parts(path) else { return nil }
        return parts.reduce(folder) { (node: DiskNode?, name) in node?.names[name] }
    }

    private func parent(of path: String) -> (DiskNode, String)? {
        guard let parts = parts(path), let name = parts.last else { return nil }
        let folder = parts.dropLast().reduce(self.folder) { (node: DiskNode?, name) in node?.names[name] }
        return folder.map { ($0, name) }
    }
}
