/// The connections that are open, by the app or process that has them.
struct Links {
    private var open: [Int32: Link] = [:]
    /// Without those that are being closed.
    private var shares: [String: [Int32: Link]] = [:]
    private var count = 0
    private let most: Int
    private let mostOfShare: Int

    init(most: Int, mostOfShare: Int) {
        self.most = most
        self.mostOfShare = mostOfShare
    }

    func of(_ descriptor: Int32) -> Link? { open[descriptor] }

    /// Whether a share has as many as it may.
    func isFull(_ share: String) -> Bool { (shares[share]?.count ?? 0) >= mostOfShare }

    /// Adds one. Where there are as many as there may be, one that does nothing goes for it, of whoever has the most. False where its
    /// share is full, or all of these are busy.
    mutating func add(_ link: Link) -> Bool {
        let share = link.peer.share
        guard !isFull(share) else { return false }
        if count >= most, !endIdle() { return false }
        open[link.descriptor] = link
        shares[share, default: [:]][link.descriptor] = link
        count += 1
        return true
    }

    mutating func remove(_ descriptor: Int32) -> Link? {
        guard let link = open.removeValue(forKey: descriptor) else { return nil }
        if !link.isClosing { uncount(link) }
        return link
    }

    /// Closes those that came by a door.
    mutating func close(by door: Int32) -> [Link] {
        let found = open.values.filter { $0.door == door && !$0.isClosing }
        for link in found {
            link.close()
            uncount(link)
        }
        return found
    }

    private mutating func endIdle() -> Bool {
        guard let crowd = shares.values.max(by: { $0.count < $1.count }),
            let idle = crowd.values.first(where: \.isIdle)
        else { return false }
        // It stays among the open ones until the server has seen its end, so that its descriptor is nobody else's yet.
        idle.close()
        uncount(idle)
        return true
    }

    private mutating func uncount(_ link: Link) {
        count -= 1
        let share = link.peer.share
        shares[share]?[link.descriptor] = nil
        if shares[share]?.isEmpty == true { shares[share] = nil }
    }
}
