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
    /// What the newcomer says once they are in the group.
    private static let joined = Array("joined".utf8)

    /// Waits for one who knows the code, and takes them in. The group is open only once they came: until then other programs
    /// of this device go on with it.
    static func invite(_ group: GroupOptions, at address: String?, seconds: Int32) throws {
        try group.device().requireInviter()
        guard let listener = NearListener(address ?? NearListener.localAddress()) else {
            throw Diagnostic(
                .tooFewServers, "this device cannot be reached at that address",
                help: "--listen ADDRESS, one of this machine's")
        }
        let code = Meeting.newCode()
        show("\(MeetingLink(place: listener.place, code: code))")
        Output.print(["near": .string(listener.place), "code": .string(code)])
        let end = ContinuousClock.now + .seconds(seconds)
        let reception = Reception(at: listener, code: code, until: end, tries: tries)
        while true {
            let (meeting, socket) = try guest(of: reception)
            guard let introduction = try? Introduction(meeting.receive(atMost: limits.introduction)) else {
                say("somebody came with the code, and did not say who they are")
                continue
            }
            socket.limit(to: end)
            return try welcome(introduction, meeting, group)
        }
    }

    private static func guest(of reception: Reception) throws(Diagnostic) -> (Meeting, NearSocket) {
        do throws(MeetingError) {
            let guest = try reception.next { say("somebody came with a wrong code") }
            return (guest.meeting, guest.socket)
        } catch .nobodyCame {
            throw Diagnostic(
                .letterRefused, "nobody came in time who knows the code", help: "invite them again")
        } catch .tooManyTries {
            throw Diagnostic(
                .letterRefused, "\(tries) wrong codes were tried: somebody may be guessing",
                help: "invite them again, with a new code")
        } catch {
            throw Diagnostic(.ownFault, "this machine's cryptography cannot be used")
        }
    }

    private static func welcome(_ newcomer: Introduction, _ meeting: Meeting, _ group: GroupOptions) throws {
        let invitation = try group.device().invite(newcomer, code: newcomer.code, at: Output.now)
        let arrived = hands(invitation, meeting)
        Output.print(["member": .string(newcomer.profile.id), "arrived": .bool(arrived)])
        guard arrived else {
            throw Diagnostic(
                .letterRefused,
                "they are a member now, but their device did not say that the invitation arrived",
                help: """
                    if they did not join, invite them again: the same device gets another letter; \
                    or escrow group remove \(group.group) \(newcomer.profile.id)
                    """)
        }
    }

    /// Whether the newcomer says that they joined with it.
    private static func hands(_ invitation: Invitation, _ meeting: Meeting) -> Bool {
        do throws(MeetingError) {
            try meeting.send(JSONWriter.line(invitation.json))
            return try meeting.receive(atMost: joined.count) == joined
        } catch {
            return false
        }
    }

    private static func say(_ words: String) {
        FileHandle.standardError.write(Data("\(words)\n".utf8))
    }

    /// Goes to an owner who waits, and joins.
    static func join(_ candidate: Candidate, at place: String, code: String) throws {
        // The owner registers the newcomer at the servers while this device waits.
        guard let socket = NearSocket.connect(to: place, seconds: 60) else {
            throw Diagnostic(
                .letterRefused, "nobody waits there for this device",
                help: "on the owner's device: escrow group invite NAME --near")
        }
        let meeting = try meet(over: socket, code: code)
        let invitation: Invitation
        do throws(MeetingError) {
            try meeting.send(JSONWriter.line(candidate.introduction.json))
            let bytes = try meeting.receive(atMost: limits.invitation)
            guard let read = try? Invitation(bytes) else { throw .malformed }
            invitation = read
        } catch .malformed {
            throw Diagnostic(.letterRefused, "what waits there is no owner of a group")
        } catch {
            throw Diagnostic(
                .letterRefused, "the code is right, but the connection ended before an invitation came",
                help: "their device says why; have them invite this one again")
        }
        try candidate.join(invitation, code: invitation.owner.code)
        // This device is in the group, whether the owner's hears of it or not.
        try? meeting.send(joined)
    }

    private static func meet(over socket: NearSocket, code: String) throws(Diagnostic) -> Meeting {
        do throws(MeetingError) {
            socket.limit(to: .now + .seconds(15))
            let meeting = try Meeting(.newcomer, over: socket, code: code)
            socket.limit(to: nil)
            return meeting
        } catch .unanswered {
            throw Diagnostic(
                .letterRefused, "what waits there says nothing: the code was not compared",
                help: "try again while the owner's device waits, at the address that it shows")
        } catch .broken {
            throw Diagnostic(
                .letterRefused, "the owner's device does not take this code",
                help: "compare it with what they see; three wrong ones end the invitation, as its time does")
        } catch .slow {
            throw Diagnostic(
                .letterRefused, "the owner's device is too slow, or the network is", help: "try again")
        } catch .wrongCode {
            throw Diagnostic(
                .letterRefused, "what answers there does not know this code",
                help: "compare address and code with what the owner's device shows")
        } catch {
            throw Diagnostic(.letterRefused, "what waits there is no owner of a group")
        }
    }

    /// Shows a text as a picture on the terminal.
    static func show(_ text: String) {
        guard let picture = Picture(of: text) else { return }
        FileHandle.standardError.write(Data((picture.lines.joined(separator: "\n") + "\n").utf8))
    }
}
