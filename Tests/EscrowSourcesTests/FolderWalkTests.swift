import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowMedia
@testable import EscrowSourceFiles

@Suite("The listing of folders")
struct FolderWalkTests {
    private func listing(
        _ folder: Folder, leavesStatus: Bool = false, log: ProblemLog = ProblemLog()
    ) throws -> FileListing {
        var walk = PhotosAdapter().walk { log.add($0, $1) }
        walk.leavesStatus = leavesStatus
        return try walk.list([folder.path])
    }

    private func paths(_ listing: FileListing) -> [String] {
        listing.files.indices.map { listing.relativePath($0) }
    }

    @Test("names come in the order of their bytes, whatever they share and however long they are")
    func order() throws {
        let folder = try Folder()
        var generator = SystemRandomNumberGenerator()
        var names: Set<String> = [
            "IMG_0001.jpg", "IMG_0001 (1).jpg", "IMG_00010.jpg", "é.jpg", "z.jpg", "Z.JPG",
        ]
        for _ in 0..<400 {
            let length = Int.random(in: 0...12, using: &generator)
            let tail = (0..<length).map { _ in "ab\u{1}é~".randomElement(using: &generator)! }
            names.insert("IMG_" + String(tail) + ".jpg")
        }
        for name in names { folder.write(name, "") }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(paths(try listing(folder)) == sorted)
        #expect(paths(try listing(folder, leavesStatus: true)) == sorted)
    }

    @Test("what is no file of the kind is told, and never listed")
    func others() throws {
        let folder = try Folder()
        for name in ["a.jpg", "a.txt", "noending", ".hidden.jpg", "sub/b.PNG", "sub/jpg", "x.longending"] {
            folder.write(name, "12345")
        }
        symlink(folder.path + "/a.jpg", folder.path + "/link.jpg")
        symlink("/", folder.path + "/loop")
        mkfifo(folder.path + "/pipe.jpg", 0o600)
        let bad = folder.path + "/"
        let file = (Array(bad.utf8) + [0xFF, 0xFE] + Array(".jpg".utf8) + [0]).withUnsafeBytes {
            open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o600)
        }
        close(file)
        for leavesStatus in [false, true] {
            let log = ProblemLog()
            let listing = try listing(folder, leavesStatus: leavesStatus, log: log)
            #expect(paths(listing) == ["a.jpg", "sub/b.PNG"])
            #expect(
                Set(log.problems.map { "\($0.path.dropFirst(folder.path.count)) \($0.problem.reason)" }) == [
                    "/a.txt not a file of this kind", "/noending not a file of this kind",
                    "/sub/jpg not a file of this kind", "/x.longending not a file of this kind",
                    "/link.jpg a symbolic link, which is not followed", "/pipe.jpg not a regular file",
                    "/loop a symbolic link, which is not followed", " an entry whose name is not UTF-8",
                ])
        }
    }

    @Test("a look that is left for later finds what a look at once finds")
    func laterLook() throws {
        let folder = try Folder()
        for number in 0..<20 {
            folder.write("\(number % 3)/\(number).jpg", [UInt8](repeating: 1, count: number))
        }
        let eager = try listing(folder)
        var late = try listing(folder, leavesStatus: true)
        // The first of each folder tells whether the folder may be searched.
        #expect(late.files.filter(\.isKnown).count == 3)
        var opener = FileOpener()
        for index in late.files.indices {
            guard case .found(let status) = opener.look(at: index, of: late) else {
                Issue.record("not found")
                return
            }
            late.learn(index, status)
            #expect(late.files[index].size == eager.files[index].size)
            #expect(late.files[index].inode == eager.files[index].inode)
            #expect(late.files[index].modified == eager.files[index].modified)
        }
    }

    @Test("a file that is gone, or something else by now, is left out when it is looked at")
    func gone() throws {
        let folder = try Folder()
        for name in ["a.jpg", "b.jpg", "c.jpg", "d.jpg"] { folder.write(name, "123") }
        let log = ProblemLog()
        let table = Table("Photos", .photos, folder.path, log: log)
        let snapshot = try table.source.snapshot(assets: AssetTable())
        unlink(folder.path + "/b.jpg")
        unlink(folder.path + "/c.jpg")
        symlink("/etc/hostname", folder.path + "/c.jpg")
        func names(_ columns: [String]) throws -> [Cell] {
            let positions = columns.map { table.column($0) }
            let scan = try snapshot.scan(ScanRequest(columns: ColumnMask(positions)))
            let chunk = ColumnChunk(spec: table.source.spec)
            guard try scan.next(into: chunk) else { return [] }
            return (0..<chunk.rowCount).map { chunk.cell(row: $0, column: positions[0]) }
        }
        #expect(try names(["filename", "fileSize"]) == ["a.jpg", "d.jpg"])
        #expect(log.reasons == [FileProblem.symbolicLink.sentence])
        let size = OrderTerm(column: table.column("fileSize"))
        #expect(try table.rows("filename", order: [size]) == [["a.jpg"], ["d.jpg"]])
    }

    @Test("terms on the collection leave the files of other folders alone")
    func prunedFolders() throws {
        let folder = try Folder()
        for name in ["top.jpg", "A/1.jpg", "A/2.jpg", "B/3.jpg", "B/4.jpg", "B/C/5.jpg", "B/C/6.jpg"] {
            folder.write(name, "no picture")
        }
        let log = ProblemLog()
        let table = Table("Photos", .photos, folder.path, log: log)
        let name = Predicate(column: table.column("collectionName"), operation: .equal, values: ["B"])
        let snapshot = try #require(try table.source.snapshot(assets: AssetTable()) as? PhotosSnapshot)
        let columns = ["filename", "fileSize", "latitude"].map { table.column($0) }
        let scan = try snapshot.scan(ScanRequest(columns: ColumnMask(columns), predicates: [name]))
        let chunk = ColumnChunk(spec: table.source.spec)
        #expect(try scan.next(into: chunk) && chunk.rowCount == 2)
        #expect(log.problems.map(\.path) == [folder.path + "/B/3.jpg", folder.path + "/B/4.jpg"])
        let known = snapshot.listing.files.indices.filter { snapshot.listing.files[$0].isKnown }
        #expect(
            Set(known.map { snapshot.listing.relativePath($0) }) == [
                "A/1.jpg", "B/3.jpg", "B/4.jpg", "B/C/5.jpg", "top.jpg",
            ])
    }

    @Test("which pictures there are does not depend on the columns, also where a folder may not be searched")
    func unsearchable() throws {
        // Root may search everything, so that there is nothing to see.
        guard geteuid() != 0 else {
            print("SKIP: run by root, who may search every folder")
            return
        }
        let folder = try Folder()
        folder.write("sub/a.jpg", "123")
        chmod(folder.path + "/sub", 0o400)
        defer { chmod(folder.path + "/sub", 0o700) }
        let table = Table("Photos", .photos, folder.path)
        #expect(try table.rows("filename").isEmpty)
        #expect(try table.rows("filename", "fileSize").isEmpty)
    }
}
