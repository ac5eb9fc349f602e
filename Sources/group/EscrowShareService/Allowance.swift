/// How many requests each member still has: so many a second, and more at once after a rest.
struct Allowance {
    private struct Bucket {
        var left: Double
        var at: Int64
    }

    private let rate: Double
    private let burst: Double
    private var buckets: [String: Bucket] = [:]
    /// Full buckets are forgotten when there are more than this.
    private static let most = 10_000

    init(rate: Double, burst: Double) {
        self.rate = rate
        self.burst = burst
    }

    /// Takes one request; false when none is left. Milliseconds, of any clock.
    mutating func take(_ name: String, at now: Int64) -> Bool {
        var bucket = buckets[name] ?? Bucket(left: burst, at: now)
        bucket.left = filled(bucket, at: now)
        bucket.at = now
        let isTaken = bucket.left >= 1
        if isTaken { bucket.left -= 1 }
        if buckets.count >= Self.most, buckets[name] == nil {
            buckets = buckets.filter { filled($0.value, at: now) < burst }
            guard buckets.count < Self.most else { return false }
        }
        buckets[name] = bucket
        return isTaken
    }

    private func filled(_ bucket: Bucket, at now: Int64) -> Double {
        min(burst, bucket.left + Double(max(0, now - bucket.at)) / 1000 * rate)
    }
}
