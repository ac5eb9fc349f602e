import Foundation
import TemporaryFolder
import Testing

/// Folders that are not let through to a confined program: a source lies in them, or could come to lie in them.
@Suite(.enabled(if: Confinement.works, "SKIP: bubblewrap is missing, or cannot make its walls here"))
struct ConfinedFolderTests {
    private static let app = "org.example.hostile"

    /// A service; folders of these names beside its home; and the attempt to run an app that has been let through some.
    private struct Place {
        let service: RunningService
        let url: URL

        init(_ folders: String...) throws {
            let escrow = try Escrow(trusting: false)
            url = escrow.folder.appending(path: "files").resolvingSymlinksInPath()
            for folder in folders {
                try FileManager.default.createDirectory(
                    at: url.appending(path: folder), withIntermediateDirectories: true)
            }
            service = try RunningService(escrow)
        }

        func path(_ name: String) -> String { url.appending(path: name).path }

        func card(_ name: String) throws {
            let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nN:A;;;;\r\nEND:VCARD\r\n"
            try Data(text.utf8).write(to: url.appending(path: name))
        }

        func source(_ name: String) throws {
            let added = try service.run("source", "add", "contacts", path(name))
            try #require(added.status == 0, "\(added.words)")
        }

        func letThrough(_ words: String...) throws {
            let words = words.map { $0.hasPrefix("--") ? $0 : path($0) }
            let added = try Escrow.start(
                ["app", "add", app, "--no-token"] + words, home: service.escrow.home)
            try #require(added.status == 0, "\(added.words)")
        }

        func run(app: String = ConfinedFolderTests.app, _ command: String...) throws -> Escrow.Outcome {
            try Escrow.start(
                ["app", "run", app, "--runtime", service.runtime.url.path, "--"] + command,
                home: service.escrow.home,
                with: ["XDG_STATE_HOME": service.escrow.folder.resolvingSymlinksInPath().path + "/state"])
        }

        func expectRefusal(_ why: String) throws {
            let refused = try run("/bin/echo", "started")
            #expect(refused.status == 64 && !refused.output.contains("started"), "\(why)")
            #expect(refused.words.contains("E1259") && refused.words.contains(why), "\(refused.words)")
        }
    }

    /// The control: what holds nothing secret is let through, and can be changed where it may be.
    @Test func aFolderWithoutASourceIsLetThrough() throws {
        let place = try Place("notes", "cards")
        try place.card("cards/a.vcf")
        try place.source("cards/a.vcf")
        try place.letThrough("--writable-folder", "notes")
        #expect(try place.run("/bin/sh", "-c", "echo one >\(place.path("notes"))/n").status == 0)
        #expect(FileManager.default.fileExists(atPath: place.path("notes/n")))
    }

    /// Where it may change the folder, it could move a cover's place away, or put a link in a source's; where it may only read it,
    /// the cover over a file comes off when somebody saves the file anew.
    @Test(arguments: ["--folder", "--writable-folder"], ["a.vcf", "in/a.vcf", "in"])
    func noFolderInWhichASourceLies(option: String, source: String) throws {
        let place = try Place("notes/in")
        try place.card(source == "in" ? "notes/in/a.vcf" : "notes/\(source)")
        try place.source("notes/\(source)")
        try place.letThrough(option, "notes")
        try place.expectRefusal("a source lies in it")
    }

    @Test func noFolderByWhichASourceIsReachedThroughALink() throws {
        let place = try Place("notes", "cards")
        try place.card("cards/a.vcf")
        try FileManager.default.createSymbolicLink(
            atPath: place.path("notes/link"), withDestinationPath: place.path("cards"))
        try place.source("notes/link")
        try place.letThrough("--writable-folder", "notes")
        try place.expectRefusal("a source lies in it")
    }

    @Test func noFolderWithALinkOnTheWayToASource() throws {
        let place = try Place("names", "notes", "cards")
        try place.card("cards/a.vcf")
        for (link, target) in [("notes/middle", "cards"), ("names/first", "notes/middle")] {
            try FileManager.default.createSymbolicLink(
                atPath: place.path(link), withDestinationPath: place.path(target))
        }
        try place.source("names/first")
        try place.letThrough("--writable-folder", "notes")
        try place.expectRefusal("a source lies in it")
    }

    @Test func noFolderToWhichASourceThatIsMissingComesBack() throws {
        let place = try Place("names", "notes/in")
        try place.card("notes/in/a.vcf")
        try FileManager.default.createSymbolicLink(
            atPath: place.path("names/link"), withDestinationPath: place.path("notes/in"))
        try place.source("names/link/a.vcf")
        try FileManager.default.removeItem(atPath: place.path("notes/in/a.vcf"))
        try place.letThrough("--folder", "notes")
        try place.expectRefusal("a source lies in it")
    }

    /// The other could put a link in its place between the look at it and the start.
    @Test func noFolderInOneThatAnotherProgramMayChange() throws {
        let place = try Place("notes/in")
        let added = try place.service.run(
            "app", "add", "org.example.other", "--no-token", "--writable-folder", place.path("notes"))
        #expect(added.status == 0)
        try place.letThrough("--folder", "notes/in")
        try place.expectRefusal("which a confined program may change")
    }

    @Test func noFolderInAnotherThatTheProgramMayChange() throws {
        let place = try Place("notes/in/deep")
        try place.letThrough("--writable-folder", "notes", "--folder", "notes/in/deep")
        try place.expectRefusal("which a confined program may change")
        // The other way round nothing on the way can be changed.
        try place.letThrough("--folder", "notes", "--writable-folder", "notes/in/deep")
        #expect(try place.run("/bin/echo", "started").output == "started\n")
    }

    @Test func noFolderThatLeadsElsewhereThanWhenItWasAdded() throws {
        let place = try Place("notes/in", "precious")
        try place.letThrough("--folder", "notes/in")
        try FileManager.default.removeItem(atPath: place.path("notes/in"))
        try FileManager.default.createSymbolicLink(
            atPath: place.path("notes/in"), withDestinationPath: place.path("precious"))
        try place.expectRefusal("it leads elsewhere than when it was added")
    }

    @Test func noFolderWithTheHomesOfConfinedPrograms() throws {
        let place = try Place("notes")
        let state = place.service.escrow.folder.resolvingSymlinksInPath().path + "/state"
        try FileManager.default.createDirectory(
            atPath: state + "/escrow-apps", withIntermediateDirectories: true)
        let added = try place.service.run(
            "app", "add", Self.app, "--no-token", "--writable-folder", state)
        #expect(added.status == 0)
        try place.expectRefusal("the homes of confined programs lie in it")
    }

    /// The program that lives there could put a link in its place between the look at it and the start.
    @Test func noFolderInTheHomeOfAConfinedProgram() throws {
        let place = try Place("notes")
        let share =
            place.service.escrow.folder.resolvingSymlinksInPath().path
            + "/state/escrow-apps/org.example.other/share"
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
        #expect(try place.service.run("app", "add", Self.app, "--no-token", "--folder", share).status == 0)
        try place.expectRefusal("it lies in the home of a confined program")
    }

    /// So could one that runs on after its folder was taken back.
    @Test func noFolderInOneThatARunningProgramMayChange() throws {
        let place = try Place("notes/in")
        let wait = place.path("notes/wait")
        try place.letThrough("--writable-folder", "notes")
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            _ = try? place.run(
                "/bin/sh", "-c", "mkfifo \(wait).new && mv \(wait).new \(wait) && read -r line <\(wait)")
            done.signal()
        }
        try RunningService.eventually("it runs") { FileManager.default.fileExists(atPath: wait) }
        let other = "org.example.other"
        for words in [[Self.app], [other, "--folder", place.path("notes/in")]] {
            let added = try Escrow.start(
                ["app", "add", "--no-token"] + words, home: place.service.escrow.home)
            #expect(added.status == 0, "\(added.words)")
        }
        let refused = try place.run(app: other, "/bin/echo", "started")
        #expect(refused.words.contains("which a confined program may change"), "\(refused.everything)")
        try Data("go\n".utf8).write(to: URL(filePath: wait))
        done.wait()
        #expect(try place.run(app: other, "/bin/echo", "started").output == "started\n")
    }

    @Test func neitherTheWholeFileSystemNorTheEscrowHome() throws {
        let place = try Place("notes")
        for unfit in ["/", place.service.escrow.home.path, place.service.escrow.folder.path] {
            #expect(try place.service.run("app", "add", Self.app, "--folder", unfit).status == 0)
            let refused = try place.run("/bin/echo", "started")
            #expect(refused.status == 64 && refused.words.contains("E1259"), "\(unfit)")
        }
    }
}
