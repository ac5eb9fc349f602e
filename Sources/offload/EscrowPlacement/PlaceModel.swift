package import EscrowConsent

/// What past runs say about how long one takes at a place: a start, and so much for each byte of Ds.
///
/// A line by least squares, in which a run counts for less the longer ago it was: what a place was once, a loaded server or a network
/// far away, is forgotten within some ten runs, and a wrong prediction corrects itself.
package struct PlaceModel: Sendable, Equatable {
    /// A run as it was.
    package struct Past: Sendable, Equatable {
        /// Bytes of Ds, rows and files.
        package let bytes: Double
        let seconds: Double
        /// Processor time of the plugin.
        let cpuSeconds: Double

        package init(bytes: Double, seconds: Double, cpuSeconds: Double) {
            self.bytes = bytes
            self.seconds = seconds
            self.cpuSeconds = cpuSeconds
        }
    }

    /// How much less a run counts than the one after it.
    private static let fading = 0.75

    let runs: Int
    private let start: Double
    private let perByte: Double
    private let cpuPerSecond: Double

    /// - Parameter past: the newest last.
    init(_ past: [Past]) {
        runs = past.count
        var weight = 0.0
        var bytes = 0.0
        var seconds = 0.0
        var cpu = 0.0
        for run in past {
            (weight, bytes) = (weight * Self.fading + 1, bytes * Self.fading + run.bytes)
            (seconds, cpu) = (seconds * Self.fading + run.seconds, cpu * Self.fading + run.cpuSeconds)
        }
        guard weight > 0 else {
            (start, perByte, cpuPerSecond) = (0, 0, 0)
            return
        }
        (bytes, seconds, cpu) = (bytes / weight, seconds / weight, cpu / weight)
        cpuPerSecond = seconds > 0 ? cpu / seconds : 0
        var spread = 0.0
        var slope = 0.0
        for run in past {
            spread = spread * Self.fading + (run.bytes - bytes) * (run.bytes - bytes)
            slope = slope * Self.fading + (run.bytes - bytes) * (run.seconds - seconds)
        }
        // Runs of one size say nothing of another; and more bytes never take less time.
        let line = spread > 1 ? max(0, slope / spread) : 0
        // A start of less than nothing would make small runs look free.
        perByte = min(line, bytes > 0 ? seconds / bytes : 0)
        start = seconds - perByte * bytes
    }

    /// How long a run over so many bytes takes.
    func seconds(for bytes: Double) -> Double { start + perByte * bytes }

    /// Of that, the plugin's processor time.
    func cpuSeconds(for bytes: Double) -> Double { seconds(for: bytes) * cpuPerSecond }
}

/// A run that ended with a result.
package struct PastRun: Sendable {
    package let place: Place
    package let figures: PlaceModel.Past

    package init(place: Place, figures: PlaceModel.Past) {
        self.place = place
        self.figures = figures
    }
}
