import EscrowDiagnostics
import EscrowSchema
public import EscrowTabular
import Glibc

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

/// The rows of a table over the given sources.
struct Table {
    let source: any TableSource
    let assets = AssetTable()

    init(_ name: String, _ kind: SourceKind, _ roots: String..., log: ProblemLog = ProblemLog()) {
        let adapter = SourceAdapters[kind]!
        let context = SourceContext(adapter, roots: roots) { log.add($0, $1) }
        source =
            name == "Photos"
            ? PhotosTable(context: context, zone: .fixed(3_600))
            : adapter.tables(context).first { $0.spec.name == name }!
    }

    /// A table that the test made itself.
    init(_ source: any TableSource) { self.source = source }

    /// The rows as lists of cells in the order of `columns` (all of them when there are none named).
    func rows(
        _ columns: String..., where predicates: [Predicate] = [], order: [OrderTerm] = [], limit: Int? = nil,
        chunkRows: Int = ColumnChunk.rowCapacity
    ) throws -> [[Cell]] {
        let positions = columns.isEmpty ? Array(source.spec.columns.indices) : columns.map { column($0) }
        let request = ScanRequest(
            columns: ColumnMask(positions), predicates: predicates, order: order, limit: limit)
        let scan = try source.snapshot(assets: assets).scan(request)
        let chunk = ColumnChunk(spec: source.spec)
        chunk.wantedRows = chunkRows
        var rows: [[Cell]] = []
        while try scan.next(into: chunk) {
            for row in 0..<chunk.rowCount { rows.append(positions.map { chunk.cell(row: row, column: $0) }) }
            if let limit, rows.count >= limit { break }
        }
        return rows
    }

    /// The row ids of a scan.
    func ids(where predicates: [Predicate] = []) throws -> [Int64] {
        let scan = try source.snapshot(assets: assets).scan(
            ScanRequest(columns: ColumnMask([0]), predicates: predicates))
        let chunk = ColumnChunk(spec: source.spec)
        var ids: [Int64] = []
        while try scan.next(into: chunk) {
            for row in 0..<chunk.rowCount { ids.append(chunk.rowIDs.integer(row)) }
        }
        return ids
    }

    func column(_ name: String) -> Int { source.spec.column(named: name)! }
}

/// Collects what a scan left out.
final class ProblemLog: @unchecked Sendable {
    private(set) var problems: [(path: String, problem: FileProblem)] = []
    func add(_ path: String, _ problem: FileProblem) { problems.append((path, problem)) }
    var reasons: [String] { problems.map(\.problem.sentence) }
}

/// A folder for one test, gone with it.
final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/escrow-sources-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Diagnostic(.notRegularFile, "no temporary folder") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Folder.remove(path) }

    /// Writes a file below the folder and returns its path.
    @discardableResult
    func write(_ name: String, _ bytes: some Sequence<UInt8>) -> String {
        let full = path + "/" + name
        for (index, byte) in name.utf8.enumerated() where byte == UInt8(ascii: "/") {
            mkdir(path + "/" + String(decoding: name.utf8.prefix(index), as: UTF8.self), 0o700)
        }
        let file = fopen(full, "w")!
        defer { fclose(file) }
        let bytes = Array(bytes)
        precondition(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        return full
    }

    @discardableResult
    func write(_ name: String, _ text: String) -> String { write(name, text.utf8) }

    /// Goes on when so much time is gone by that what was written before is known to be all: what changed within a step of the
    /// file system's clock might change again, and nothing of it is kept. No program can set that time back, so it must pass.
    func settle() async throws {
        var status = stat()
        guard stat(write("clock", "0"), &status) == 0 else { throw Diagnostic(.notRegularFile, "no clock") }
        unlink(path + "/clock")
        let end = FileStatus(status).touched + FileListing.clockStep + 1
        while case let rest = end - Timestamp.currentTime.microseconds, rest > 0 {
            try await Task.sleep(for: .microseconds(rest))
        }
    }

    /// Whether a file below the folder changed so little time ago that it might change again. To be asked after what
    /// rests on it: on a slow machine it may cease to be meanwhile.
    func isYoung(_ name: String) -> Bool {
        var status = stat()
        guard stat(path + "/" + name, &status) == 0 else { return false }
        return Timestamp.currentTime.microseconds - FileStatus(status).touched < FileListing.clockStep
    }

    /// The size of a file; nil if there is none.
    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// By bytes: a name need not be UTF-8.
    static func remove(_ path: String) { removeEntry(Array(path.utf8CString)) }

    private static func removeEntry(_ path: [CChar]) {
        if unlink(path) == 0 { return }
        guard let stream = opendir(path) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
                }
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            removeEntry(path.dropLast() + [0x2F] + name + [0])
        }
        closedir(stream)
        rmdir(path)
    }
}

/// Paths within the repository.
enum Repository {
    static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    static let vectors = root + "/Tests/Vectors/sources"
    static let samples = root + "/samples"
}

extension Cell: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(nilLiteral: ()) { self = .null }
}
