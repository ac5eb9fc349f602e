import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowDesktop
@testable import EscrowMedia
@testable import EscrowPeople
@testable import EscrowPlaces
@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

/// Folders that somebody else may have filled, read by every kind of source.
@Suite("Hostile folders, for every kind")
struct HostileFilesTests {
    /// A name under which a kind takes a file that lies in a folder.
    static func name(_ kind: SourceKind) -> String {
        switch kind {
        case .contacts: "a.vcf"
        case .photos: "a.jpg"
        case .music: "a.mp3"
        case .recordings: "a.m4a"
        case .location: "a.gpx"
        case .browser: "History"
        case .sensors: "home-assistant_v2.db"
        case .calendar: "a.ics"
        case .health: "export.xml"
        case .mail: "a.mbox"
        case .exposure: "a.json"
        default: "a.txt"
        }
    }

    /// What every kind would read out of a file, if it were let: a secret in the format of each.
    static let secret = """
        From x
        BEGIN:VCARD
        FN:SECRET
        END:VCARD
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        UID:SECRET
        DTSTART:20260301
        END:VEVENT
        END:VCALENDAR

        """

    /// All that the tables of a kind give for a folder.
    struct Outcome {
        var cells: [Cell] = []
        var rows = 0
        var reasons: Set<String> = []

        /// Whether a word stands in a value or a message.
        func holds(_ word: String) -> Bool {
            reasons.contains { $0.contains(word) }
                || cells.contains { cell in
                    if case .text(let text) = cell { return text.contains(word) }
                    return false
                }
        }
    }

    /// Lists the tables of a kind over a folder, lets something happen, and then reads them to the end.
    private func outcome(
        _ kind: SourceKind, _ folder: String, between: () -> Void = {}, eachRow: (Int) -> Void = { _ in }
    ) throws -> Outcome {
        let adapter = try #require(SourceAdapters[kind])
        let log = ProblemLog()
        let context = SourceContext(adapter, roots: [folder]) { log.add($0, $1) }
        var outcome = Outcome()
        for table in adapter.tables(context) {
            let snapshot = try table.snapshot(assets: AssetTable())
            between()
            let scan = try snapshot.scan(ScanRequest(columns: ColumnMask(table.spec.columns.indices)))
            let chunk = ColumnChunk(spec: table.spec)
            chunk.wantedRows = 1
            while try scan.next(into: chunk) {
                outcome.rows += chunk.rowCount
                for column in table.spec.columns.indices {
                    outcome.cells.append(chunk.cell(row: 0, column: column))
                }
                eachRow(outcome.rows)
            }
        }
        outcome.reasons = Set(log.problems.map(\.problem.reason))
        return outcome
    }

    @Test(
        "links, loops, FIFOs, sockets, folders, hidden and deep places give no row and are told",
        arguments: SourceKind.allCases)
    func oddEntries(_ kind: SourceKind) throws {
        let outside = try Folder()
        let folder = try Folder()
        let name = Self.name(kind)
        let secret = outside.write("secret", Self.secret)
        for place in ["link", "loop", "fifo", "socket", "bad"] { mkdir("\(folder.path)/\(place)", 0o700) }
        #expect(symlink(secret, "\(folder.path)/link/\(name)") == 0)
        #expect(symlink(outside.path, "\(folder.path)/link/folder") == 0)
        #expect(symlink("..", "\(folder.path)/loop/again") == 0)
        #expect(symlink(name, "\(folder.path)/loop/\(name)") == 0)
        #expect(mkfifo("\(folder.path)/fifo/\(name)", 0o600) == 0)
        #expect(Self.bindSocket("\(folder.path)/socket/\(name)"))
        mkdir("\(folder.path)/\(name)", 0o700)
        folder.write(".hidden/\(name)", Self.secret)
        let bad = Array("\(folder.path)/bad/".utf8) + [0xC3, 0x28] + Array(name.utf8) + [0]
        let file = bad.withUnsafeBytes {
            open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        }
        #expect(file >= 0)
        close(file)
        var deep = "deep"
        for _ in 0..<FileListing.depthLimit + 4 { deep += "/d" }
        folder.write("\(deep)/\(name)", Self.secret)

        let outcome = try outcome(kind, folder.path)
        #expect(outcome.rows == 0)
        #expect(!outcome.holds("SECRET"))
        for problem in [FileProblem.symbolicLink, .notRegular, .nameNotUTF8, .tooDeep] {
            #expect(outcome.reasons.contains(problem.reason), "\(problem.reason)")
        }
    }

    @Test(
        "a file that becomes another, a link, a FIFO or nothing after it was listed gives none of its new content",
        arguments: SourceKind.allCases)
    func replaced(_ kind: SourceKind) throws {
        let outside = try Folder()
        let secret = outside.write("secret", Self.secret)
        let name = Self.name(kind)
        for change in 0..<6 {
            let folder = try Folder()
            let path = folder.write(name, "nothing\n")
            let replacement = folder.path + "/.new"
            let outcome = try outcome(kind, folder.path) {
                switch change {
                case 0:
                    folder.write(".new", Self.secret)
                    rename(replacement, path)
                case 1:
                    symlink(secret, replacement)
                    rename(replacement, path)
                case 2:
                    mkfifo(replacement, 0o600)
                    rename(replacement, path)
                case 3: unlink(path)
                case 4: truncate(path, 0)
                default:
                    unlink(path)
                    mkdir(path, 0o700)
                }
            }
            #expect(!outcome.holds("SECRET"), "change \(change)")
            unlink(replacement)
        }
    }

    @Test(
        "a folder on the way that becomes a link after it was listed leads nowhere",
        arguments: SourceKind.allCases)
    func replacedFolder(_ kind: SourceKind) throws {
        let outside = try Folder()
        let name = Self.name(kind)
        outside.write(name, Self.secret)
        let folder = try Folder()
        folder.write("sub/\(name)", "nothing\n")
        let outcome = try outcome(kind, folder.path) {
            unlink("\(folder.path)/sub/\(name)")
            rmdir("\(folder.path)/sub")
            symlink(outside.path, "\(folder.path)/sub")
        }
        #expect(!outcome.holds("SECRET"))
    }

    @Test(
        "a file that grows as fast as it is read comes to an end",
        arguments: [
            (SourceKind.contacts, "BEGIN:VCARD\nFN:x\nEND:VCARD\n"), (.mail, "From x\nSubject: x\n\n\n"),
            (.calendar, "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260301\nEND:VEVENT\nEND:VCALENDAR\n"),
        ])
    func growing(_ kind: SourceKind, _ record: String) throws {
        let folder = try Folder()
        let path = folder.write(Self.name(kind), record + record)
        let outcome = try outcome(
            kind, folder.path,
            eachRow: { _ in
                let file = fopen(path, "a")
                fputs(record, file)
                fclose(file)
            })
        #expect((1...8).contains(outcome.rows))
    }

    @Test("a file that may not be read is told, and the others are served")
    func unreadable() throws {
        guard geteuid() != 0 else {
            print("SKIP: run by root, who may read every file")
            return
        }
        let folder = try Folder()
        let card = "BEGIN:VCARD\nFN:x\nEND:VCARD\n"
        let closed = folder.write("a.vcf", card)
        folder.write("b.vcf", card)
        chmod(closed, 0)
        let outcome = try outcome(.contacts, folder.path)
        #expect(outcome.rows == 1 && outcome.reasons == ["cannot be read: permission denied"])
    }

    /// `ESCROW_FILES=10000000` is the long mode.
    private static let count = getenv("ESCROW_FILES").flatMap { Int(String(cString: $0)) } ?? 100_000

    @Test("a folder of very many files takes little memory, whatever reads it")
    func manyFiles() async {
        // In a process of its own: other tests run beside this one, and their memory must not count.
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            mkdir(folder.path + "/cur", 0o700)
            let directory = open(folder.path + "/cur", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(directory) }
            for number in 0..<HostileFilesTests.count {
                close(openat(directory, "\(number).vcf", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            }
            let listed = min(HostileFilesTests.count, FileListing.fileLimit)
            let expected: [(kind: SourceKind, table: String, column: String, rows: Int)] = [
                (.documents, "Documents", "path", listed), (.mail, "Messages", "folder", listed),
                (.mail, "Messages", "subject", listed), (.photos, "Photos", "filename", 0),
                (.contacts, "Contacts", "givenName", 0),
            ]
            for (kind, name, column, rows) in expected {
                let before = residentKiB()
                let adapter = try #require(SourceAdapters[kind])
                let counter = ProblemCounter()
                let context = SourceContext(adapter, roots: [folder.path]) { _, problem in
                    counter.add(problem)
                }
                let table = try #require(adapter.tables(context).first { $0.spec.name == name })
                let scan = try table.snapshot(assets: AssetTable()).scan(
                    ScanRequest(columns: ColumnMask([try #require(table.spec.column(named: column))])))
                let chunk = ColumnChunk(spec: table.spec)
                var count = 0
                while try scan.next(into: chunk) { count += chunk.rowCount }
                #expect(count == rows, "\(name).\(column)")
                // The listing's names and states: less than 200 bytes a file.
                #expect(residentKiB() - before < 32 << 10 + listed / 5, "\(name).\(column)")
                #expect((HostileFilesTests.count > listed) == (counter.count > 0))
            }
        }
    }

    @Test("that more files are left out than can be listed is told once for a kind")
    func incomplete() throws {
        let folder = try Folder()
        let memory = SourceMemory(directory: folder.path)
        let notices = Notices()
        memory.onNotice { notices.add($0) }
        for kind in [SourceKind.documents, .documents, .mail] {
            SourceRegistry.tell(.tooManyFiles, of: kind, to: memory)
            SourceRegistry.tell(.notRegular, of: kind, to: memory)
        }
        #expect(
            notices.texts.first == """
                warning[E0838]: the documents sources hold more files than are listed
                note: 524288 files are read, the others are left out of every answer
                help: add the folders that matter, and take the large one away: escrow source remove
                """)
        #expect(notices.texts.count == 2)
    }

    private final class Notices: @unchecked Sendable {
        private(set) var texts: [String] = []
        func add(_ diagnostic: Diagnostic) { texts.append(diagnostic.description) }
    }

    private final class ProblemCounter: @unchecked Sendable {
        private(set) var count = 0
        func add(_ problem: FileProblem) { count += problem == .notThisKind ? 0 : 1 }
    }

    static func bindSocket(_ path: String) -> Bool {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
