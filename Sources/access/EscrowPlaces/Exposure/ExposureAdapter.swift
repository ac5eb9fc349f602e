internal import EscrowFiles
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// Keys of Exposure Notification: the device's own, and those that a key server published.
    static let exposure = SourceKind(word: "exposure")
}

/// Temporary exposure keys, in the form of key servers and in two simple ones.
struct ExposureAdapter: SourceAdapter {
    let kind = SourceKind.exposure
    let accepts =
        "a key server's export.bin or the archive with it, the device's keys as JSON or CSV, or a folder of them"
    let nothingFound = "no file .bin, .json or .csv"
    let typicalRows = 10_000
    let archiveEndings: Set = ["zip"]
    let specs = [ExposureSpec.keys]

    /// What a file is written in is told by its content.
    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot || ["bin", "json", "csv"].contains(file.ending) ? 0 : nil
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        ExposureFormat(head: head) == nil ? ExposureFormat.unknownReason : nil
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [
            FilesTable(
                ExposureSpec.keys, context, listed: .init([ExposureSpec.Column.filename: .filename]),
                bytesPerRow: 32
            ) { descriptor, file in Self.reader(descriptor, of: file) }
        ]
    }

    private static func reader(_ descriptor: consuming Descriptor, of file: FilesTable.File)
        -> (any RowReader)?
    {
        guard let head = descriptor.bytes(at: 0, count: 4 << 10) else {
            file.onProblem(FileProblem("cannot be read"))
            return nil
        }
        switch ExposureFormat(head: head[...]) {
        case .export:
            return KeyExportReader(
                SharedDescriptor(descriptor), size: file.size, onProblem: file.onProblem)
        case .json:
            return KeyListReader(SharedDescriptor(descriptor), size: file.size, onProblem: file.onProblem)
        case .csv:
            return KeyLinesReader(descriptor, size: file.size, onProblem: file.onProblem)
        case nil:
            file.onProblem(FileProblem(ExposureFormat.unknownReason))
            return nil
        }
    }
}

/// What a file of keys is written in, by its first bytes.
enum ExposureFormat {
    case export, json, csv

    /// What is told of a file in none of them.
    static let unknownReason = "it holds no exposure keys (export.bin of a key server, JSON, CSV)"

    init?(head: ArraySlice<UInt8>) {
        if head.starts(with: KeyExportReader.signature.utf8) {
            self = .export
            return
        }
        var start = head
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        start = start.trimmed
        if start.first == UInt8(ascii: "{") {
            self = .json
        } else if start.starts(with: KeyLinesReader.firstColumn.utf8) {
            self = .csv
        } else {
            return nil
        }
    }
}
