import ArgumentParser
import EscrowAttestation
import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowServerService
import EscrowTPM
import EscrowTrust
import Glibc

struct AttestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attest",
        abstract: "Write what devices may require of this machine: its TPM, boot state, program and policy.",
        discussion: """
            The file says how the machine is now. Look at it, then give it to the devices by a way that you trust; they read it with \
            escrow server require. It is to be written anew after each change of the machine, the program or its trust store.
            """)
    @OptionGroup var folder: FolderOption
    @OptionGroup var tpm: TPMOptions
    @Option(help: "How many days it holds.") var days = 90
    @Option(help: "Where to write the file.") var out: String

    func validate() throws {
        // Fewer by one than a device takes: its clock may be behind.
        guard 1..<Requirement.mostDays ~= days else {
            throw ValidationError("--days is 1 to \(Requirement.mostDays - 1)")
        }
    }

    func run() throws {
        guard let attester = try tpm.attester(try folder.open()) else {
            throw ValidationError("a machine without a TPM proves nothing: --tpm device:/dev/tpmrm0")
        }
        let requirement = try attester.requirement(expires: Int64(time(nil)) + Int64(days) * 86_400)
        try SecureFile.replace(out, with: JSONWriter.document(requirement.json))
        say("attested   \(requirement.name)")
        say("its file   \(out)")
    }
}

/// Which TPM, and which of its registers.
struct TPMOptions: ParsableArguments {
    @Option(help: "The TPM, in tpm2-tss's words: device:/dev/tpmrm0, or swtpm:path=SOCKET.") var tpm: String?
    @Option(help: "The register that the server measures itself into.") var pcr = Attester.ownRegister

    /// Nil where no TPM was named.
    func attester(_ home: ServerHome) throws(Diagnostic) -> Attester? {
        guard let tpm else { return nil }
        return try Attester(
            try TPM(tpm), program: try ServerMachine.program(),
            policy: try SecureFile.read(home.trustPath, limit: TrustStore.maximumBytes), pcr: pcr)
    }
}
