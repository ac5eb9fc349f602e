import EscrowDiagnostics
import EscrowHome
import EscrowHost
import Glibc
import TemporaryFolder
import Testing

/// A home is made whole or not at all, and a folder that is not one is never touched.
@Suite struct HomeTests {
    let scratch: TemporaryFolder
    var folder: String { scratch.path }

    init() throws {
        scratch = try TemporaryFolder("escrow-home")
    }

    func write(_ text: String, _ name: String) throws {
        let file = try #require(fopen(folder + "/" + name, "w"))
        fputs(text, file)
        fclose(file)
    }

    @Test func aNewHomeIsPrivateAndOpens() throws {
        let path = folder + "/deep/home"
        let home = try Home.create(at: path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(path + "/host.key", &status) == 0 && status.st_mode & 0o777 == 0o600)
        _ = try Host(home: try Home.open(at: home.path))
    }

    @Test func aSecondInitChangesNothing() throws {
        let path = folder + "/home"
        _ = try Home.create(at: path)
        #expect(throws: Diagnostic(.homeExists, "")) { try Home.create(at: path) }
        _ = try Home.open(at: path)
    }

    @Test func aFolderThatHoldsSomethingElseIsLeftAlone() throws {
        try write("mine", "keepsake")
        #expect(throws: Diagnostic(.folderInUse, "")) { try Home.create(at: folder) }
        #expect(throws: Diagnostic(.homeOpenToOthers, "")) {
            chmod(folder, 0o755)
            _ = try Home.open(at: folder)
        }
        chmod(folder, 0o700)
        #expect(throws: Diagnostic(.notAHome, "")) { try Home.open(at: folder) }
        #expect(access(folder + "/keepsake", F_OK) == 0)
    }

    @Test func nothingThereIsItsOwnMessage() throws {
        do {
            _ = try Home.open(at: folder + "/none")
            Issue.record("a home was opened where there is none")
        } catch {
            #expect(
                error.description == """
                    error[E0013]: there is no escrow home at \(folder)/none
                    help: make one: escrow init --home \(folder)/none
                    """)
        }
    }

    @Test func damageIsNamedAndNothingIsOverwritten() throws {
        let home = try Home.create(at: folder + "/home")
        for (text, code) in [
            ("", Diagnostic.Code.homeDamaged),
            ("{\"escrow-home\":1,\"escrow-home\":1}", Diagnostic.Code.homeDamaged),
            ("{\"escrow-home\":2,\"hostKey\":\"x\"}", Diagnostic.Code.homeOfAnotherFormat),
            ("{\"escrow-home\":1,\"hostKey\":\"x\"}", Diagnostic.Code.homeDamaged),
        ] {
            try write(text, "home/home.json")
            #expect(throws: Diagnostic(code, "")) { try Home.open(at: home.path) }
            var bytes = [CChar](repeating: 0, count: 100)
            let file = try #require(fopen(home.path + "/home.json", "r"))
            let count = fread(&bytes, 1, 100, file)
            fclose(file)
            #expect(count == text.utf8.count)
        }
    }

    @Test func anotherKeyIsNotAccepted() throws {
        let one = try Home.create(at: folder + "/one")
        let two = try Home.create(at: folder + "/two")
        unlink(one.path + "/host.key")
        #expect(link(two.path + "/host.key", one.path + "/host.key") == 0)
        #expect(throws: Diagnostic(.homeDamaged, "")) { try Home.open(at: one.path) }
    }
}
