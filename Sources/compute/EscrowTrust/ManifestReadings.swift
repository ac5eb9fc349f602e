internal import EscrowDiagnostics
internal import EscrowManifest
internal import Synchronization

/// A cache of parsed manifests, by their bytes, for a host that stays. Signatures are checked anew each time.
final class ManifestReadings: Sendable {
    private static let most = 16

    private struct Reading {
        let bytes: [UInt8]
        let manifest: Manifest
    }
    /// The one used last is last.
    private let readings = Mutex<[Reading]>([])

    /// The manifest that these bytes spell. Throws what reading them throws; that is not kept.
    func manifest(_ bytes: [UInt8]) throws(Diagnostic) -> Manifest {
        let known = readings.withLock { readings -> Manifest? in
            guard let index = readings.firstIndex(where: { $0.bytes == bytes }) else { return nil }
            let reading = readings.remove(at: index)
            readings.append(reading)
            return reading.manifest
        }
        if let known { return known }
        let manifest = try Manifest.parse(bytes, file: "plugin.json")
        readings.withLock { readings in
            readings.append(Reading(bytes: bytes, manifest: manifest))
            if readings.count > Self.most { readings.removeFirst() }
        }
        return manifest
    }
}
