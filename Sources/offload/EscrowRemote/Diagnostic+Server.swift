import EscrowAttestation
import EscrowDiagnostics
import EscrowOffloadWire

extension Diagnostic {
    /// Why a call to a server failed. The name is the individual's own for it.
    static func server(_ id: String, _ end: RemoteEnd) -> Diagnostic {
        let nothing = "nothing was returned"
        switch end {
        case .complete, .failed:
            return Diagnostic(
                .serverCannot, "the server \(id) said that it cannot run this", notes: [nothing])
        case .unreachable:
            return Diagnostic(
                .serverUnreachable, "the server \(id) does not answer", notes: ["nothing was sent to it"],
                help: "escrow server check \(id); or run it here: --server device")
        case .wrongAuthority:
            return Diagnostic(
                .serverUntrusted,
                "what answers for the server \(id) shows a certificate of another authority",
                notes: ["nothing was sent to it"],
                help:
                    "somebody may be in between; if the server was set up anew: escrow server add FILE --id NAME"
            )
        case .expired:
            return Diagnostic(
                .serverCertificateExpired,
                "the certificate of the server \(id) is not valid today, by this device's clock",
                notes: ["nothing was sent to it"],
                help: "let its owner run `escrow-server renew`; if this device's clock is wrong, set it")
        case .wrongServer:
            return Diagnostic(
                .serverIsAnother, "what answers for the server \(id) is another server of the same authority",
                notes: ["its key is not the one that was pinned; nothing was sent to it"],
                help: "escrow server show \(id)")
        case .deviceRefused:
            return Diagnostic(
                .deviceNotEnrolled, "the server \(id) does not know this device, or no longer",
                notes: ["nothing was sent to it"],
                help: "let its owner look at that machine's clock, or run `escrow-server enrol` again")
        case .lost:
            return Diagnostic(
                .serverLost, "the connection to the server \(id) broke in the course of the run",
                notes: [nothing],
                help: "escrow server check \(id); then run it again, or here: --server device")
        case .wallMissing:
            return Diagnostic(
                .remoteProgramUnfit,
                "escrow-remote cannot shut itself in on this machine, and reached nobody",
                notes: ["nothing was sent to the server \(id)"],
                help: "escrow doctor; or run it here: --server device")
        case .protocolBroken:
            return Diagnostic(
                .serverBrokeProtocol, "the server \(id) broke the protocol, and was left", notes: [nothing],
                help: "a server that does so is broken or hostile: escrow server remove \(id)")
        }
    }

    /// Evidence that proves nothing, by name.
    static func unattested(_ id: String, _ refusal: AttestationRefusal) -> Diagnostic {
        let isTheRequirement = [.expired, .endless, .resettable, .bootLeftOpen].contains(refusal)
        return Diagnostic(
            .attestationRefused,
            "the server \(id) did not prove that it runs the software that you named: \(refusal.words)",
            notes: ["no data was sent to it", "\(refusal.rawValue)"],
            help: isTheRequirement
                ? "let its owner run `escrow-server attest` again, then: escrow server require \(id) FILE"
                : "ask its owner what changed there; another software is another grant")
    }

    static func serverLate(_ id: String) -> Diagnostic {
        Diagnostic(
            .serverLate, "the server \(id) did not begin the run in time", notes: ["no data was sent to it"],
            help: "escrow server check \(id); or run it here: --server device")
    }

    /// What a server says where it runs nothing.
    static func refused(by id: String, _ refusal: RemoteRefusal, _ plugin: String) -> Diagnostic {
        let notes = ["no data was sent to it"]
        func refused(_ code: Code, _ words: String, _ help: String) -> Diagnostic {
            Diagnostic(code, "the server \(id) does not run \(plugin): \(words)", notes: notes, help: help)
        }
        let register = "let its owner run `escrow-server registry add FILE.escrow`"
        switch refusal {
        case .unknownPlugin: return refused(.pluginNotRegistered, "it is not registered there", register)
        case .revokedPlugin:
            return refused(.pluginRevokedThere, "it was revoked there", "ask the server's owner why")
        case .anotherVersion:
            return refused(.anotherVersionThere, "another version is registered there", register)
        case .rolledBack:
            return refused(
                .rolledBackThere, "a later version is registered there",
                "escrow plugin install the later version")
        case .untrustedPlugin:
            return refused(
                .pluginUntrustedThere, "it does not pass the server's own checks",
                "let its owner look: escrow-server registry list")
        case .busy: return refused(.serverBusy, "it has no room now", "try again, or here: --server device")
        case .unknownDevice:
            return refused(
                .deviceNotEnrolled, "it does not know this device, or no longer",
                "let its owner run `escrow-server enrol` again")
        case .limits, .walls, .protocolBroken:
            return refused(.serverCannot, "it cannot, \(refusal)", "escrow server check \(id)")
        }
    }
}
