import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import EscrowSchema
import EscrowTabular
import EscrowTrust

/// Rows of which the individual picks some, before anybody else is given any.
public struct PickQuestion: Sendable {
    /// Which plugin asks, and for which app.
    public let plugin: String
    public let app: String
    /// What tells each row from others.
    public let rows: [String]
    /// The most that may be picked.
    public let most: Int

    /// The places of the rows that have all words, in any case of letters.
    public static func search(_ line: String, in rows: [String]) -> [Int] {
        let words = line.lowercased().split(separator: " ")
        return rows.indices.filter { place in
            let row = rows[place].lowercased()
            return words.allSatisfy { row.contains($0) }
        }
    }
}

/// All rows that there are to pick from, and their pictures, in the process that the individual looks at.
public struct PickList: Sendable {
    /// What the individual is asked.
    public let question: PickQuestion
    /// What each row is known by until the run: a digest of what it holds, so that a row that came in between shifts none.
    public let marks: [String]
    let cells: [[Cell]]
    private let handles: [String?]
    private let assets: AssetTable

    /// Reads them all. E1329 where there are more than anybody picks from.
    init(
        of rows: any RowProvider, _ rule: PickRule, plugin: String, app: String, assets: AssetTable
    ) throws(Diagnostic) {
        let fields = rows.schema.fields
        var all: [[Cell]] = []
        while let batch = try rows.next(maxRows: 512, maxBytes: 1 << 20) {
            guard all.count + batch.rowCount <= PickRule.mostRows else {
                throw Diagnostic(
                    .tooManyToPick, "there are more than \(PickRule.mostRows) rows to pick from",
                    help: "let the query yield fewer")
            }
            for row in 0..<batch.rowCount {
                all.append(fields.indices.map { batch.cell(row: row, column: $0) })
            }
        }
        let shown = rule.shows.compactMap { name in fields.firstIndex { $0.name == name } }
        question = PickQuestion(
            plugin: plugin, app: app,
            rows: all.map { row in
                let words = shown.map { row[$0].shown(as: fields[$0].type) }.filter { !$0.isEmpty }
                return PlainText.neutral(words.joined(separator: "  "), longest: 160)
            }, most: rule.most)
        let files = fields.indices.filter { fields[$0].type == .asset }
        handles = all.map { row in
            for place in files { if case .text(let handle) = row[place] { return handle } }
            return nil
        }
        var times: [String: Int] = [:]
        marks = all.map { row in
            let words = fields.indices.map { column -> String in
                // A handle is another in each run; what it stands for is not.
                guard case .text(let handle) = row[column], files.contains(column) else {
                    return "\(row[column])"
                }
                return assets.offered(handle)?.path ?? ""
            }
            let bytes = words.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
            let digest = Digest(of: bytes).hexadecimal
            times[digest, default: 0] += 1
            return times[digest] == 1 ? digest : "\(digest)-\(times[digest] ?? 0)"
        }
        cells = all
        self.assets = assets
    }

    /// Whether a row has a file.
    public func hasFile(_ place: Int) -> Bool { handles[place] != nil }

    /// The picture of a row, whole, as a browser shows it: nil where its bytes are none that it does, or too many.
    public func picture(_ mark: String) -> (bytes: [UInt8], mediaType: String)? {
        guard let place = marks.firstIndex(of: mark), let handle = handles[place],
            let asset = assets.offered(handle)
        else { return nil }
        let raw = asset.open()
        guard raw >= 0 else { return nil }
        let file = Descriptor(owning: raw)
        var bytes: [UInt8] = []
        while let piece = try? file.read(1 << 20), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= Self.largestPicture else { return nil }
        }
        return Self.mediaType(of: bytes).map { (bytes, $0) }
    }

    private static let largestPicture = 64 << 20

    /// By the first bytes, whatever the file's name says.
    private static func mediaType(of bytes: [UInt8]) -> String? {
        func begins(_ text: String, at place: Int = 0) -> Bool {
            bytes.dropFirst(place).starts(with: text.utf8)
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if begins("GIF8") { return "image/gif" }
        return begins("RIFF") && begins("WEBP", at: 8) ? "image/webp" : nil
    }
}

extension Cell {
    /// How somebody tells it from others.
    fileprivate func shown(as type: ColumnType) -> String {
        switch self {
        case .null, .blob: ""
        case .text(let text): text
        case .integer(let number) where type == .timestamp:
            String((Timestamp(microseconds: number)?.iso8601 ?? "").prefix(16).replacing("T", with: " "))
        case .integer(let number): String(number)
        case .real(let number): String(describing: number)
        }
    }
}
