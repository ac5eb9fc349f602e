/// The places for runs: how many are taken, and by which devices.
struct Places {
    let most: Int
    private var count = 0
    private var ofDevice: [String: Int] = [:]

    init(most: Int) { self.most = most }

    /// One device has at most half of them, and never none: the other half is for others, also for one that comes later.
    var mostOfDevice: Int { (most + 1) / 2 }

    /// Takes one; false where there is none for this device.
    mutating func take(_ device: String) -> Bool {
        guard count < most, ofDevice[device, default: 0] < mostOfDevice else { return false }
        count += 1
        ofDevice[device, default: 0] += 1
        return true
    }

    mutating func leave(_ device: String) {
        count -= 1
        let left = ofDevice[device, default: 1] - 1
        ofDevice[device] = left == 0 ? nil : left
    }
}
