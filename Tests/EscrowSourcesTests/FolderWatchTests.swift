import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowMedia
@testable import EscrowPeople
@testable import EscrowSourceFiles
@testable import EscrowTableKit

/// A watched listing is, at every moment, what a walk would list.
@Suite("Folders that are watched", .timeLimit(.minutes(60)))
struct FolderWatchTests {
    private let folder: Folder
    private let root: String
    private let watch: FolderWatch
    private let notices = NoticeLog()

    init() throws {
        folder = try Folder()
        root = folder.path + "/photos"
        mkdir(root, 0o700)
        watch = FolderWatch { [notices] in notices.add($0) }
    }

    /// All that a listing says, and what it tells.
    private func listed(
        _ roots: [String]? = nil, _ adapter: any SourceAdapter = PhotosAdapter(),
        by list: (FolderWalk, [String]) throws -> FileListing
    ) throws -> [String] {
        let log = ProblemLog()
        let listing = try list(adapter.walk { log.add($0, $1) }, roots ?? [root])
        let files = listing.files.indices.map { index in
            let file = listing.files[index]
            let folder = file.directory < 0 ? "" : listing.directories[Int(file.directory)].path
            return
                "\(listing.path(index)) in \(folder) \(file.kind) \(file.size) \(file.inode) \(file.modified)"
                + " \(file.isKnown) \(file.root) \(listing.key(index).path)"
        }
        return files + log.problems.map { "\($0.path): \($0.problem.reason)" }
    }

    /// Compares with a walk, and returns how many files were looked at for it.
    private func check(
        _ roots: [String]? = nil, _ adapter: any SourceAdapter = PhotosAdapter()
    ) throws -> Int {
        let before = watch.looks
        let watched = try listed(roots, adapter) { try watch.list($0, $1) }
        let looks = watch.looks - before
        #expect(try watched == listed(roots, adapter) { try $0.list($1) })
        return looks
    }

    private func write(_ name: String, _ text: String = "12345") { folder.write("photos/" + name, text.utf8) }

    /// Writes a file where one can be.
    private func place(_ name: String, _ count: Int) {
        let parts = name.split(separator: "/")
        for depth in parts.indices.dropFirst() {
            mkdir(root + "/" + parts[..<depth].joined(separator: "/"), 0o700)
        }
        let file = open(root + "/" + name, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard file >= 0 else { return }
        _ = Glibc.write(file, "0123456789", count)
        close(file)
    }

    private static var queueLimit: Int? {
        guard let file = fopen("/proc/sys/fs/inotify/max_queued_events", "r") else { return nil }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 32)
        guard fgets(&text, 32, file) != nil else { return nil }
        return Int(atoi(text))
    }

    /// Whether this machine's temporary folder can be watched at all.
    private var isWatchable: Bool {
        var mounts = MountTable()
        guard let opened = Descriptor.openingRoot(root) else { return false }
        return mounts.isLocal(opened)
    }

    @Test("what did not change is not looked at again, what changed is")
    func changes() throws {
        for number in 0..<30 { write("\(number % 3)/\(number).jpg") }
        #expect(try check() == 33)
        guard isWatchable else {
            print("SKIP: the temporary folder lies on a file system without events")
            return
        }
        #expect(try check() == 0)
        write("1/4.jpg", "longer than before")
        #expect(try check() == 1)
        write("1/new.jpg")
        // Of another kind, it could be another name of a file that is listed.
        write("1/other.txt")
        #expect(try check() == 2)
        unlink(root + "/2/2.jpg")
        #expect(try check() == 0)
        rename(root + "/0/0.jpg", root + "/0/renamed.jpg")
        #expect(try check() == 1)
        var times = [timeval(tv_sec: 1_700_000_000, tv_usec: 0), timeval(tv_sec: 1_700_000_000, tv_usec: 0)]
        utimes(root + "/0/3.jpg", &times)
        #expect(try check() == 1)
        write("0/6.jpg", "12345")
        // Written in place to the same length, the time set back: the event tells all the same.
        #expect(try check() == 1)
        #expect(try check() == 0)
    }

    @Test("folders that come, go and move are followed, with all that they hold")
    func folders() throws {
        for name in ["a/1.jpg", "a/deep/er/2.jpg", "b/3.jpg"] { write(name) }
        _ = try check()
        write("c/deep/4.jpg")
        _ = try check()
        write("c/deep/5.jpg")
        _ = try check()
        rename(root + "/a/deep", root + "/b/deep")
        _ = try check()
        write("b/deep/er/6.jpg")
        _ = try check()
        // Out of the source, changed there, and back.
        rename(root + "/b/deep", folder.path + "/outside")
        _ = try check()
        folder.write("outside/er/7.jpg", "777".utf8)
        _ = try check()
        rename(folder.path + "/outside", root + "/back")
        _ = try check()
        write("back/er/8.jpg")
        _ = try check()
        Folder.remove(root + "/c")
        _ = try check()
        // Another folder under the same name.
        rename(root + "/b", root + "/b2")
        write("b/new.jpg")
        write("b2/9.jpg")
        _ = try check()
        write("b/10.jpg")
        unlink(root + "/b2/3.jpg")
        _ = try check()
    }

    @Test("what is no plain file is told each time")
    func problems() throws {
        write("a.jpg")
        symlink("a.jpg", root + "/link.jpg")
        mkfifo(root + "/pipe.jpg", 0o600)
        for _ in 0..<2 { _ = try check() }
        unlink(root + "/a.jpg")
        symlink("/etc/hostname", root + "/a.jpg")
        _ = try check()
        unlink(root + "/link.jpg")
        write("link.jpg")
        _ = try check()
    }

    @Test("a file with other names is looked at each time")
    func otherNames() throws {
        write("a.jpg")
        write("b.jpg")
        link(root + "/a.jpg", folder.path + "/elsewhere.jpg")
        _ = try check()
        // By this name there is no event in the watched folder.
        folder.write("elsewhere.jpg", "changed elsewhere".utf8)
        #expect(try check() >= 1)
        folder.write("elsewhere.jpg", "again, changed elsewhere".utf8)
        _ = try check()
    }

    @Test(
        "another name that a file gets within the sources is found, of whatever kind and in whatever folder it is"
    )
    func namesThatComeLater() throws {
        for name in ["a", "b", "c", "d"] { write(name + ".jpg") }
        _ = try check()
        mkdir(root + "/new", 0o700)
        mkdir(folder.path + "/moved", 0o700)
        let names = ["b.png", "c.txt", "new/d.txt"]
        link(root + "/a.jpg", folder.path + "/moved/a.jpg")
        rename(folder.path + "/moved", root + "/moved")
        for name in names { link(root + "/\(name.suffix(5).prefix(1)).jpg", root + "/" + name) }
        _ = try check()
        // By these names there is no event for the others.
        for name in names + ["moved/a.jpg"] { write(name, "changed by \(name)") }
        _ = try check()
    }

    @Test("a hidden folder of a maildir is listed as soon as it is one, and no longer")
    func hiddenFolders() throws {
        let mail = MailAdapter()
        write("cur/1:2,S", "From: a")
        write(".Sent/note", "none")
        mkdir(root + "/new", 0o700)
        #expect(try listed(nil, mail) { try watch.list($0, $1) }.count == 1)
        _ = try check(nil, mail)
        write(".Sent/cur/2:2,S", "From: b")
        write(".hidden", "none")
        #expect(try listed(nil, mail) { try watch.list($0, $1) }.count == 3)
        _ = try check(nil, mail)
        write(".Sent/cur/3:2,S", "From: c")
        _ = try check(nil, mail)
        rename(root + "/.Sent/cur", root + "/.Sent/old")
        _ = try check(nil, mail)
        rename(root + "/.Sent/old", root + "/.Sent/cur")
        _ = try check(nil, mail)
        rename(root + "/.Sent", root + "/.Trash")
        _ = try check(nil, mail)
        write(".Trash/cur/4:2,S", "From: d")
        #expect(try check(nil, mail) >= 0)
    }

    @Test("a source that is another folder by now is seen, a source that is gone is an error")
    func roots() throws {
        write("a.jpg")
        folder.write("second/b.jpg", "1".utf8)
        let link = folder.path + "/link"
        symlink(root, link)
        _ = try check([link])
        unlink(link)
        symlink(folder.path + "/second", link)
        _ = try check([link])
        folder.write("second/c.jpg", "1".utf8)
        _ = try check([link])
        // A folder above the source is renamed: no event is in the source.
        folder.write("above/source/d.jpg", "1".utf8)
        let source = folder.path + "/above/source"
        _ = try check([source])
        rename(folder.path + "/above", folder.path + "/moved")
        #expect(throws: Diagnostic.self) { try watch.list(PhotosAdapter().walk { _, _ in }, [source]) }
        folder.write("above/source/e.jpg", "1".utf8)
        _ = try check([source])
        folder.write("above/source/f.jpg", "1".utf8)
        _ = try check([source])
    }

    @Test("events that were lost make all be looked at")
    func overflow() throws {
        for number in 0..<20 { write("\(number).jpg") }
        _ = try check()
        guard let limit = Self.queueLimit, limit <= 1 << 16 else {
            print("SKIP: the queue of events is too long to fill it")
            return
        }
        // Events of two names by turns are not put together. Each writing makes two at least.
        for _ in 0..<limit / 4 + 8 {
            for name in ["0.jpg", "1.jpg"] {
                let file = open(root + "/" + name, O_WRONLY)
                _ = Glibc.write(file, "b", 1)
                close(file)
            }
        }
        write("2.jpg", "last")
        let looks = try check()
        if isWatchable { #expect(looks == 20, "no overflow was made") }
        if isWatchable { #expect(try check() == 0) }
    }

    @Test("beyond the limit of watches nothing is watched, answers stay right, and one notice tells")
    func watchLimit() throws {
        for name in ["a/1.jpg", "b/2.jpg", "c/3.jpg"] { write(name) }
        let limited = FolderWatch(watchLimit: 2) { [notices] in notices.add($0) }
        for round in 0..<3 {
            write("a/\(round).jpg", "new")
            let watched = try listed { try limited.list($0, $1) }
            #expect(try watched == listed { try $0.list($1) })
        }
        if isWatchable {
            #expect(
                notices.texts == [
                    """
                    warning[E0854]: there are more folders than this system lets a user watch
                    note: answers do not depend on it, but every query looks at all files
                    help: sysctl fs.inotify.max_user_watches=1048576 raises the limit
                    """
                ])
        }
    }

    @Test("a doubt makes all be looked at once")
    func doubt() throws {
        for number in 0..<5 { write("\(number).jpg") }
        _ = try check()
        watch.doubt()
        #expect(try check() == 5)
        if isWatchable { #expect(try check() == 0) }
    }

    @Test("whatever is done to folders, a watched listing is what a walk lists")
    func anything() throws {
        var generator = SystemRandomNumberGenerator()
        let names = ["a", "b", "c.jpg", "d.jpg", "e.png", "f.txt"]
        func path() -> String {
            let depth = Int.random(in: 1...4, using: &generator)
            return (0..<depth).map { _ in names.randomElement(using: &generator)! }.joined(separator: "/")
        }
        for _ in 0..<400 {
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0, 1, 2, 3: place(path(), .random(in: 0...9, using: &generator))
                case 4: rename(root + "/" + path(), root + "/" + path())
                case 5: Folder.remove(root + "/" + path())
                case 6: symlink("a", root + "/" + path())
                default: mkdir(root + "/" + path(), 0o700)
                }
            }
            // At last: of a name that comes, is written by and goes between two queries no event tells where the other name lies.
            if Int.random(in: 0..<3, using: &generator) == 0 {
                link(root + "/" + path(), root + "/" + path())
            }
            _ = try check()
        }
    }

    @Test("changes by others while a listing is made are in the next one")
    func concurrent() async throws {
        for number in 0..<50 { write("\(number % 5)/\(number).jpg") }
        let root = root
        let writer = Task.detached {
            for round in 0..<400 {
                mkdir("\(root)/new\(round % 7)", 0o700)
                for name in ["new\(round % 7)/x\(round).jpg", "\(round % 5)/y\(round).jpg"] {
                    let file = open("\(root)/\(name)", O_CREAT | O_WRONLY, 0o600)
                    _ = Glibc.write(file, "123", 3)
                    close(file)
                }
                if round % 3 == 0 { rename("\(root)/new\(round % 7)", "\(root)/\(round % 5)/m\(round)") }
                if round % 4 == 0 { unlink("\(root)/\(round % 5)/y\(round).jpg") }
            }
        }
        for _ in 0..<40 { _ = try watch.list(PhotosAdapter().walk { _, _ in }, [root]) }
        await writer.value
        _ = try check()
    }

    @Test("mounts are told by their numbers")
    func mounts() {
        let types = MountTable.types(
            """
            36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 - ext4 /dev/root rw,errors=continue
            40 36 0:35 / /net rw shared:7 master:2 - nfs4 server:/x rw
            41 36 0:36 / /x rw -

            """)
        #expect(types == ["36": "ext4", "40": "nfs4"])
    }

    @Test("events are parsed, whatever their bytes")
    func events() {
        func event(_ number: Int32, _ mask: Int, _ name: String, padding: Int = 0) -> [UInt8] {
            let text = Array(name.utf8) + Array(repeating: 0, count: padding)
            var bytes: [UInt8] = []
            for word in [UInt32(bitPattern: number), UInt32(mask), 0, UInt32(text.count)] {
                withUnsafeBytes(of: word) { bytes += $0 }
            }
            return bytes + text
        }
        var changes = InotifyQueue.Changes()
        let bytes =
            event(1, Int(IN_MODIFY), "a.jpg", padding: 11) + event(1, Int(IN_CREATE), "b.jpg", padding: 3)
            + event(2, Int(IN_DELETE_SELF), "")
        bytes.withUnsafeBytes { InotifyQueue.parse($0, into: &changes) }
        #expect(changes.names == [1: [Array("a.jpg".utf8), Array("b.jpg".utf8)]] && changes.folders == [2])
        #expect(!changes.isCut)
        event(-1, Int(IN_Q_OVERFLOW), "").withUnsafeBytes { InotifyQueue.parse($0, into: &changes) }
        #expect(changes.isCut)
        var none = InotifyQueue.Changes()
        Array(bytes.prefix(20)).withUnsafeBytes { InotifyQueue.parse($0, into: &none) }
        #expect(none.isEmpty)
    }
}

/// Collects notices.
final class NoticeLog: @unchecked Sendable {
    private(set) var diagnostics: [Diagnostic] = []
    func add(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
    var texts: [String] { diagnostics.map(\.description) }
    var codes: [Diagnostic.Code] { diagnostics.map(\.code) }
}
