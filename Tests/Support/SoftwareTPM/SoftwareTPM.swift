import Foundation
import TemporaryFolder

/// A TPM of the test's own, by swtpm. What it vouches for is worth nothing; how it speaks is how every TPM does.
public final class SoftwareTPM: @unchecked Sendable {
    private let folder: TemporaryFolder
    private var process: Process?

    /// tpm2-tss's words for it.
    public var words: String { "swtpm:path=\(folder.path)/socket" }

    public static let isHere = FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm")

    public init() throws {
        folder = try TemporaryFolder("swtpm")
        try start()
    }

    deinit { stop() }

    /// What the machine does where it starts anew: the registers are zero, the TPM's keys stay.
    public func reset() throws {
        stop()
        try start()
    }

    private func start() throws {
        let tpm = Process()
        tpm.executableURL = URL(filePath: "/usr/bin/swtpm")
        tpm.arguments = [
            "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)", "--ctrl",
            "type=unixio,path=\(folder.path)/socket.ctrl", "--server",
            "type=unixio,path=\(folder.path)/socket", "--flags", "not-need-init,startup-clear",
            "--pid", "file=\(folder.path)/pid",
        ]
        tpm.standardInput = FileHandle.nullDevice
        tpm.standardOutput = FileHandle.nullDevice
        tpm.standardError = FileHandle.nullDevice
        try tpm.run()
        process = tpm
        // Its pid file is the last thing that it makes before it serves.
        let end = Date().addingTimeInterval(120)
        while !FileManager.default.fileExists(atPath: "\(folder.path)/pid") {
            guard tpm.isRunning, Date() < end else { throw CocoaError(.fileNoSuchFile) }
            usleep(2_000)
        }
    }

    private func stop() {
        guard let process else { return }
        // It inherits the signals that a thread of Dispatch holds back, SIGTERM among them, and has nothing to save.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        for name in ["pid", "socket", "socket.ctrl"] {
            try? FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
        }
        self.process = nil
    }
}
