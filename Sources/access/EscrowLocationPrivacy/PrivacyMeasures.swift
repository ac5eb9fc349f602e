internal import Glibc

/// How well one is hidden among those who share an answer (the thesis, 2.1).
public enum PrivacyMeasures {
    /// k-anonymity: how many share the least shared answer. Zero without any.
    public static func anonymity(_ groups: some Collection<Int>) -> Int { groups.min() ?? 0 }

    /// l-diversity of one group: how many different values there are, and the number of equally frequent ones that are as
    /// hard to guess (*e* to the entropy; Machanavajjhala et al. 2007).
    public static func diversity<Value: Hashable>(
        _ values: some Collection<Value>
    ) -> (distinct: Int, effective: Double) {
        guard !values.isEmpty else { return (0, 0) }
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +).values
        return (counts.count, effective(counts.map(Double.init)))
    }

    /// As how many equally frequent values these are to guess, of which each has such a weight; 0 without any.
    public static func effective(_ weights: [Double]) -> Double {
        let total = weights.reduce(0, +)
        guard total > 0 else { return 0 }
        return exp(weights.filter { $0 > 0 }.map { -$0 / total * log($0 / total) }.sorted().reduce(0, +))
    }

    /// t-closeness of one group to all: the earth mover's distance between both distributions of a number, from 0 (alike) to
    /// 1, each step between neighbouring values being as long (Li et al. 2007). Nil where one is empty or a number is none.
    public static func closeness(_ group: some Collection<Double>, to all: some Collection<Double>) -> Double?
    {
        guard !group.isEmpty, !all.isEmpty, group.allSatisfy(\.isFinite), all.allSatisfy(\.isFinite) else {
            return nil
        }
        let values = Set(all).union(group).sorted()
        guard values.count > 1 else { return 0 }
        let own = Dictionary(group.map { ($0, 1.0) }, uniquingKeysWith: +)
        let whole = Dictionary(all.map { ($0, 1.0) }, uniquingKeysWith: +)
        var (carried, moved) = (0.0, 0.0)
        for value in values {
            carried += (own[value] ?? 0) / Double(group.count) - (whole[value] ?? 0) / Double(all.count)
            moved += carried.magnitude
        }
        return min(moved / Double(values.count - 1), 1)
    }
}
