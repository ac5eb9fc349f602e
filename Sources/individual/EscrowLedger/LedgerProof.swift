public import EscrowDiagnostics
import EscrowJSON

/// A proof that anybody can check without the ledger: with the host's public key, offline.
///
/// A proof of inclusion is in the form of C2SP tlog-proof. One of consistency has the same shape:
///
///     escrow.ledger/consistency@v1
///     old 12 jdY2…=
///     <a hash a line>
///
///     <the newer checkpoint>
public struct LedgerProof: Sendable, Equatable {
    public enum Claim: Sendable, Equatable {
        /// That an entry is in the ledger: its sequence number, and its line, or what is left of it.
        case inclusion(sequence: UInt64, line: [UInt8])
        /// That the ledger only grew since it had so many entries and this root, in hexadecimal.
        case consistency(old: UInt64, oldRoot: String)
    }
    public let claim: Claim
    let path: [[UInt8]]
    let note: SignedNote
    let checkpoint: Checkpoint

    private static let inclusionName = "c2sp.org/tlog-proof@v1"
    private static let consistencyName = "escrow.ledger/consistency@v1"

    init(claim: Claim, path: [[UInt8]], note: SignedNote, checkpoint: Checkpoint) {
        self.claim = claim
        self.path = path
        self.note = note
        self.checkpoint = checkpoint
    }

    public var text: String {
        let head =
            switch claim {
            case .inclusion(let sequence, let line):
                "\(Self.inclusionName)\nextra \(Base64.encode(line))\nindex \(sequence - 1)\n"
            case .consistency(let old, let root):
                "\(Self.consistencyName)\nold \(old) \(Base64.encode(Hex.read(root.utf8) ?? []))\n"
            }
        return head + path.map { Base64.encode($0) + "\n" }.joined() + "\n" + note.note
    }

    /// Reads a proof. Nothing of it is checked.
    public init(text: String) throws(Diagnostic) {
        guard let proof = Self.read(text) else { throw .noProof }
        self = proof
        guard self.text.utf8.elementsEqual(text.utf8) else { throw .noProof }
    }

    private static func read(_ text: String) -> LedgerProof? {
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard lines.count < 300, let blank = lines.firstIndex(of: ""), blank >= 2, blank < 200,
            let note = SignedNote(note: lines[(blank + 1)...].joined(separator: "\n")),
            let checkpoint = Checkpoint(text: note.text)
        else { return nil }
        func word(_ name: String, _ index: Int) -> String? {
            lines[index].hasPrefix(name) ? String(lines[index].dropFirst(name.count)) : nil
        }
        let claim: Claim
        let first: Int
        if lines[0] == inclusionName {
            guard blank >= 3, let line = word("extra ", 1).flatMap({ Base64.decode($0) }),
                let index = word("index ", 2).flatMap({ UInt64($0) }), index < UInt64(Int64.max)
            else { return nil }
            claim = .inclusion(sequence: index + 1, line: line)
            first = 3
        } else {
            guard lines[0] == consistencyName, let parts = word("old ", 1)?.split(separator: " "),
                parts.count == 2, let old = UInt64(parts[0]), let root = Base64.decode(String(parts[1]))
            else { return nil }
            claim = .consistency(old: old, oldRoot: Hex.string(root))
            first = 2
        }
        var path: [[UInt8]] = []
        for line in lines[first..<blank] {
            guard let hash = Base64.decode(line), hash.count == 32 else { return nil }
            path.append(hash)
        }
        return LedgerProof(claim: claim, path: path, note: note, checkpoint: checkpoint)
    }

    /// Checks the proof against a host's key. Returns the entry that is in the ledger; nil where its content was erased, or for
    /// a proof of consistency.
    public func verify(_ verifier: some HeadVerifier) throws(Diagnostic) -> LedgerEntry? {
        guard note.verdict(name: checkpoint.origin, verifier: verifier) == .good else {
            throw .falseProof("its checkpoint is not signed by \(verifier.keyID)")
        }
        switch claim {
        case .consistency(let old, let root):
            guard
                MerkleProof.isConsistent(
                    old: old, oldRoot: Hex.read(root.utf8) ?? [], new: checkpoint.size,
                    newRoot: checkpoint.root, path: path)
            else { throw .falseProof("the ledger of \(old) entries is not the beginning of the newer one") }
            return nil
        case .inclusion(let sequence, let bytes):
            let leaf: [UInt8]
            let entry: LedgerEntry?
            switch try? LogLine(bytes) {
            case .record(let line):
                leaf = line.leaf
                entry = try? line.entry()
            case .reduced(let line):
                // The commitment does not bind what is left of an entry, so it is not returned.
                leaf = line.leaf
                entry = nil
            default: throw .falseProof("it holds no entry")
            }
            guard entry?.sequence ?? sequence == sequence,
                MerkleProof.isIncluded(
                    leaf: leaf, index: sequence - 1, size: checkpoint.size, root: checkpoint.root, path: path)
            else {
                throw .falseProof("entry \(sequence) is not in the ledger that its checkpoint vouches for")
            }
            return entry
        }
    }

    /// How many entries the ledger had that the proof is about.
    public var size: UInt64 { checkpoint.size }
    public var ledger: String { checkpoint.ledger }
    /// The time of its last entry then.
    public var time: LedgerTime { checkpoint.time }
}

extension LedgerReader {
    /// Proves that an entry is in the ledger as it is now.
    public func prove(_ sequence: UInt64) throws(Diagnostic) -> LedgerProof {
        let found = try examine()
        var line: [UInt8]?
        let tree = try tree(found) { item in if item.sequence == sequence { line = item.bytes } }
        guard let line, let path = tree.inclusion(of: sequence - 1, size: tree.size) else {
            throw .noSuchProof("entry \(sequence) is not in the ledger, or its place was compacted")
        }
        return LedgerProof(
            claim: .inclusion(sequence: sequence, line: line), path: path, note: found.head.line.note,
            checkpoint: found.head.checkpoint)
    }

    /// Proves that the ledger only grew since it had `old` entries.
    public func proveConsistency(from old: UInt64) throws(Diagnostic) -> LedgerProof {
        let found = try examine()
        let tree = try tree(found) { _ in }
        guard let root = tree.root(old), let path = tree.consistency(from: old, size: tree.size) else {
            throw .noSuchProof("the ledger never had \(old) entries, or those after them were compacted")
        }
        return LedgerProof(
            claim: .consistency(old: old, oldRoot: Hex.string(root)), path: path,
            note: found.head.line.note, checkpoint: found.head.checkpoint)
    }

    private func tree(
        _ found: Examination, _ body: (LogWalk.Item) -> Void
    ) throws(Diagnostic) -> MerkleTree {
        var tree = MerkleTree()
        var walk = LogWalk(found.log, to: found.head.end)
        while let item = try walk.next() {
            switch item.line {
            case .record(let line): tree.append(leaf: line.leaf)
            case .reduced(let line): tree.append(leaf: line.leaf)
            case .gap(let line): tree.skip(to: line.frontier)
            case .header, .checkpoint: continue
            }
            if case .gap = item.line { continue }
            body(item)
        }
        return tree
    }
}
