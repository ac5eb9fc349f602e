public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
public import EscrowLocationPrivacy

/// What was heard of live location, as a file that `Location` reads: the newest place alone, or those of the last hours.
public struct LiveTrack: Sendable {
    /// The folder that is a source of the kind `location`.
    public let folder: String
    private let file: StoreFile
    private static let limit = 16 << 20
    /// More are not kept, however many hours are wanted.
    private static let mostLines = 50_000

    /// Names it by the home's folder.
    public init(directory: String) {
        folder = directory + "/live"
        file = StoreFile("\(folder)/places.json", limit: Self.limit, help: "keep fewer hours of it: --keep")
    }

    /// Adds a place, and drops what is older than so many hours; 0 keeps it alone.
    public func add(_ fix: LiveFix, desired: Exactness, keepingHours hours: Int) throws(Diagnostic) {
        try SecureFile.makeFolder(folder)
        let lock = try FileLock.acquire(folder + ".lock")
        defer { withExtendedLifetime(lock) {} }
        var lines: [[UInt8]] = []
        if hours > 0 {
            let oldest = fix.seconds - Int64(hours) * 3_600
            lines = try self.lines().filter { (oldest...fix.seconds).contains($0.seconds) }.map(\.bytes)
                .suffix(Self.mostLines - 1)
        }
        lines.append(JSONWriter.line(fix.json(desired)).filter { $0 != 0x0A })
        try file.replace(with: lines.flatMap { $0 + [0x0A] }) { (bytes) throws(Diagnostic) in
            guard Self.lines(bytes).count == lines.count else {
                throw Diagnostic(.ownFault, "a line is no place")
            }
        }
    }

    /// How many places are kept.
    public func count() throws(Diagnostic) -> Int { try lines().count }

    private func lines() throws(Diagnostic) -> [(seconds: Int64, bytes: [UInt8])] {
        Self.lines(try file.read() ?? [])
    }

    private static func lines(_ bytes: [UInt8]) -> [(seconds: Int64, bytes: [UInt8])] {
        bytes.split(separator: 0x0A).compactMap { line in
            guard let seconds = try? JSONParser.parse(line).value["tst"]?.integer else { return nil }
            return (seconds, Array(line))
        }
    }
}
