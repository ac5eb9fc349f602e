internal import Crypto
public import EscrowAttestation
public import EscrowDiagnostics
import Foundation

/// What a server shows of itself: it measures its own program and policy once, as it starts, and quotes them for each run.
///
/// The measurements are worth what measured the program that makes them: docs/offload.md says what that has to be.
public struct Attester: Attesting {
    private let tpm: TPM
    private let pcr: Int
    public let policy: [UInt8]
    private let measurements: [Evidence.Measurement]

    /// The register of the server's own measurements, unless the owner says another. systemd leaves it to the system's image.
    public static let ownRegister = 14

    /// - Parameters:
    ///   - program: the server's executable.
    ///   - policy: what the server runs by, as bytes.
    public init(
        _ tpm: TPM, program: [UInt8], policy: [UInt8], pcr: Int = Attester.ownRegister
    ) throws(Diagnostic) {
        self.tpm = tpm
        self.pcr = pcr
        self.policy = policy
        measurements = [
            .init(pcr: pcr, name: "server", digest: Array(SHA256.hash(data: program))),
            .init(pcr: pcr, name: "policy", digest: Array(SHA256.hash(data: policy))),
        ]
        let standing = try tpm.value(of: pcr)
        // A server that is started again finds its own measurements there. Whatever else stands there cannot be taken away.
        if standing == [UInt8](repeating: 0, count: 32) {
            for measurement in measurements { try tpm.extend(pcr, by: measurement.digest) }
        } else if standing != expected {
            throw Diagnostic(
                .tpmUnusable, "register \(pcr) of the TPM holds other measurements than this server's",
                notes: ["another program or policy was measured since the machine started"],
                help: "start the machine anew, or take another register: --pcr")
        }
    }

    private var expected: [UInt8] {
        measurements.reduce([UInt8](repeating: 0, count: 32)) {
            Array(SHA256.hash(data: $0 + $1.digest))
        }
    }

    /// What devices require of this server as it is now.
    public func requirement(expires: Int64) throws(Diagnostic) -> Requirement {
        Requirement(
            key: tpm.key, registers: try bootState(), pcr: pcr, server: measurements[0].digest,
            policy: measurements[1].digest, expires: expires)
    }

    /// The evidence for one ask.
    public func evidence(_ challenge: Challenge) throws(Diagnostic) -> [UInt8] {
        let quote = try tpm.quote(Requirement.bootRegisters + [pcr], challenge.qualifying)
        return Evidence(
            statement: quote.statement, signature: quote.signature, registers: try bootState(),
            measurements: measurements
        ).encoded
    }

    private func bootState() throws(Diagnostic) -> [Int: [UInt8]] {
        var registers: [Int: [UInt8]] = [:]
        for pcr in Requirement.bootRegisters { registers[pcr] = try tpm.value(of: pcr) }
        return registers
    }
}
