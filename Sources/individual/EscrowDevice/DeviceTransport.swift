import EscrowBus
package import EscrowEgress
import EscrowJSON

/// Does what a plugin may have done on this machine, and leaves all else to the network's transport. Both are asked by the same
/// mediator, so that fields, grant, moment and ledger are the same for both.
package final class DeviceTransport: Transport {
    private let network: any Transport
    /// Whose notification it is: the plugin's title and the app.
    private let speaker: String

    package init(_ network: any Transport, speaker: String) {
        self.network = network
        self.speaker = speaker
    }

    package func exchange(
        _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        guard destination.isDevice else {
            return try network.exchange(request, with: destination, limits: limits)
        }
        guard let fields = request.body.flatMap({ try? JSONParser.parse($0).value }),
            let bus = BusConnection.session
        else { throw .device }
        do throws(BusConnection.Failure) {
            let bus = try BusConnection(socket: bus, patienceMs: 5_000)
            switch request.host {
            case "notification":
                try Self.notify(bus, fields["title"]?.string ?? "", fields["text"]?.string ?? "", speaker)
            default: try MediaPlayers.tell(bus, fields["action"]?.string ?? "")
            }
        } catch { throw .device }
        return IncomingResponse(status: 204, body: [], mediaType: "")
    }

    package func exchange(
        _ request: OutgoingRequest, file: any RequestFile, with destination: Destination,
        limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        try network.exchange(request, file: file, with: destination, limits: limits)
    }

    package func cancel() { network.cancel() }
    package func close() { network.close() }

    /// Desktop Notifications 1.2, section 9. The last line says who speaks, whatever the text pretends.
    private static func notify(
        _ bus: BusConnection, _ title: String, _ text: String, _ speaker: String
    ) throws(BusConnection.Failure) {
        let body = [escaped(text), "<i>\(escaped(speaker))</i>"].joined(separator: "\n")
        try bus.call(
            "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
            "org.freedesktop.Notifications",
            "Notify",
            [
                .string("Escrow plugin"), .word(0), .string("dialog-information"), .string(title),
                .string(body),
                .empty("as"), .empty("a{sv}"), .whole(-1),
            ])
    }

    /// Text for a desktop that reads markup.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// The players of this desktop: MPRIS 2.2.
enum MediaPlayers {
    private static let prefix = "org.mpris.MediaPlayer2."
    private static let methods = [
        "play": "Play", "pause": "Pause", "play-pause": "PlayPause", "stop": "Stop", "next": "Next",
        "previous": "Previous",
    ]

    /// Tells the first of them; those that are to be silent are told all.
    static func tell(_ bus: BusConnection, _ action: String) throws(BusConnection.Failure) {
        guard let method = methods[action],
            case .array(let names)? = try bus.call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames"
            ).first
        else { throw .unreachable }
        let players = names.compactMap(\.text).filter { $0.hasPrefix(prefix) }.sorted()
        guard !players.isEmpty else { throw .unreachable }
        for player in ["pause", "stop"].contains(action) ? players : [players[0]] {
            try bus.call(player, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", method)
        }
    }
}
