import EscrowClient
import Glibc
import TemporaryFolder
import Testing

/// Whose socket an app asks at.
@Suite struct ServiceSocketTests {
    /// Its owner is looked at before anything is waited for: another user can keep a socket's backlog full.
    @Test(.enabled(if: geteuid() == 0, "SKIP: only root can make a file another user's"))
    func anothersSocketIsNotConnectedTo() async throws {
        let scratch = try TemporaryFolder("svc")
        let path = scratch.path + "/service.sock"
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        // Nobody listens there, so that only its owner can say whose it is.
        try #require(chown(path, 65_534, 65_534) == 0)
        let error = await #expect(throws: EscrowError.self) {
            _ = try await Escrow.connect(app: "org.example.notes", socket: path)
        }
        #expect(error?.message.contains("another user") == true)
    }
}
