public import EscrowDiagnostics

/// What `escrow source check` tells about one source.
public struct SourceReport: Sendable {
    /// The source.
    public let entry: SourceEntry
    /// The files that were read, or that could have been, in order.
    public internal(set) var files: [FileReport] = []
    /// The problems beyond the half million that a report lists; they are counted only, so that memory stays bounded.
    public internal(set) var unlistedCount = 0
    /// Why nothing could be read at all, if so.
    public internal(set) var failure: Diagnostic?

    /// The number of rows of the kind's main table.
    public var rowCount: Int { files.reduce(0) { $0 + $1.rowCount } }
    /// The number of files that were left out whole.
    public var skippedCount: Int { files.count { $0.isSkipped } }
    /// The number of files of other kinds, which nobody meant to be read.
    public var otherCount: Int { files.count { $0.isOther } }
    /// Whether all was served.
    public var isClean: Bool { failure == nil && unlistedCount == 0 && files.allSatisfy(\.problems.isEmpty) }

    /// One file of the source.
    public struct FileReport: Sendable {
        /// The path below the source's folder, or the file's name.
        public let path: String
        /// The rows of the kind's main table that it gave.
        public internal(set) var rowCount = 0
        /// Whether nothing of it was served.
        public internal(set) var isSkipped = false
        /// Whether it is of another kind.
        public internal(set) var isOther = false
        /// What was left out and why; the first few only.
        public internal(set) var problems: [Problem] = []
        /// The number of all problems.
        public internal(set) var problemCount = 0
    }

    /// Why a file or a part of it was left out. It holds no value from the file.
    public struct Problem: Sendable {
        /// The line in the file, counted from 1, if known.
        public let line: Int?
        /// One sentence.
        public let reason: String
    }
}
