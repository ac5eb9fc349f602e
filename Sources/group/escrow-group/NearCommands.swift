import EscrowDiagnostics
import EscrowGroup
import EscrowGroupDevice
import EscrowJSON
import EscrowMeeting
import Foundation

/// Invitations between two devices on one network, in the thesis's order (its figure 4.4), behind a short code.
enum Near {
    /// The longest introduction, and the longest invitation.
    private static let limits = (introduction: 1 << 16, invitation: 256 << 20)
    /// How many wrong codes end it: one in 33 million guesses would be right.
    private static let tries = 3

    /// Waits for one who knows the code, and takes them in.
    static func invite(_ device: Device, at address: String?, seconds: Int32) throws {
        guard let listener = NearListener(address ?? NearListener.localAddress()) else {
            throw Diagnostic(
                .tooFewServers, "this device cannot be reached at that address",
                help: "--listen ADDRESS, one of this machine's")
        }
        let code = Meeting.newCode()
        show("\(MeetingLink(place: listener.place, code: code))")
        Output.print(["near": .string(listener.place), "code": .string(code)])
        let end = Date(timeIntervalSinceNow: Double(seconds))
        var wrong = 0
        while wrong < tries {
            let left = Int32(end.timeIntervalSinceNow)
            guard left > 0, let guest = listener.accept(within: left) else {
                throw Diagnostic(.letterRefused, "nobody came who knows the code", help: "invite them again")
            }
            do throws(MeetingError) {
                let meeting = try Meeting(.owner, over: guest, code: code)
                try welcome(meeting, device)
                return
            } catch .wrongCode {
                wrong += 1
                FileHandle.standardError.write(Data("somebody came with a wrong code\n".utf8))
            } catch {
                // Went away, or speaks something else: waited for on.
                continue
            }
        }
        throw Diagnostic(
            .letterRefused, "\(tries) wrong codes were tried: somebody may be guessing",
            help: "invite them again, with a new code")
    }

    private static func welcome(_ meeting: Meeting, _ device: Device) throws(MeetingError) {
        guard let introduction = try? Introduction(try meeting.receive(atMost: limits.introduction)) else {
            throw .malformed
        }
        do {
            let invitation = try device.invite(introduction, code: introduction.code, at: Output.now)
            try meeting.send(JSONWriter.line(invitation.json))
            Output.print(["member": .string(introduction.profile.id)])
        } catch let error as MeetingError {
            throw error
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw .broken
        }
    }

    /// Goes to an owner who waits, and joins.
    static func join(_ candidate: Candidate, at place: String, code: String) throws {
        guard let socket = NearSocket.connect(to: place) else {
            throw Diagnostic(
                .letterRefused, "nobody waits there for this device",
                help: "on the owner's device: escrow group invite NAME --near")
        }
        do throws(MeetingError) {
            let meeting = try Meeting(.newcomer, over: socket, code: code)
            try meeting.send(JSONWriter.line(candidate.introduction.json))
            let bytes = try meeting.receive(atMost: limits.invitation)
            guard let invitation = try? Invitation(bytes) else { throw .malformed }
            try join(candidate, invitation)
        } catch .wrongCode {
            throw Diagnostic(
                .letterRefused, "this is not the owner's code", help: "they see it on their device")
        } catch .broken {
            throw Diagnostic(
                .letterRefused, "the owner's device does not answer any more: the code may be wrong",
                help: "compare it with what they see; three wrong ones end the invitation")
        } catch {
            throw Diagnostic(.letterRefused, "what waits there is no owner of a group")
        }
    }

    private static func join(_ candidate: Candidate, _ invitation: Invitation) throws(MeetingError) {
        do { try candidate.join(invitation, code: invitation.owner.code) } catch { throw .malformed }
    }

    /// Shows a text as a picture on the terminal.
    static func show(_ text: String) {
        guard let picture = Picture(of: text) else { return }
        FileHandle.standardError.write(Data((picture.lines.joined(separator: "\n") + "\n").utf8))
    }
}
