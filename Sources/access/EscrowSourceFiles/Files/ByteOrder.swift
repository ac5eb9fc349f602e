/// Integers out of bytes, checked against the slice's bounds. Offsets count from the slice's start.
extension ArraySlice<UInt8> {
    @inlinable package func byte(_ offset: Int) -> UInt8? {
        guard offset >= 0, offset < count else { return nil }
        return self[startIndex + offset]
    }

    @inlinable package func big16(_ offset: Int) -> Int? {
        guard let high = byte(offset), offset < Int.max, let low = byte(offset + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    @inlinable package func big32(_ offset: Int) -> Int? {
        guard offset <= count - 4, let high = big16(offset), let low = big16(offset + 2) else { return nil }
        return high << 16 | low
    }

    @inlinable package func big64(_ offset: Int) -> UInt64? {
        guard offset <= count - 8, let high = big32(offset), let low = big32(offset + 4) else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }

    @inlinable package func little16(_ offset: Int) -> Int? {
        big16(offset).map { $0 >> 8 | ($0 & 0xFF) << 8 }
    }

    @inlinable package func little32(_ offset: Int) -> Int? {
        guard offset <= count - 4, let low = little16(offset), let high = little16(offset + 2) else {
            return nil
        }
        return high << 16 | low
    }

    /// A number of eight bytes; nil also for one that is no offset in any file.
    @inlinable package func little64(_ offset: Int) -> Int64? {
        guard offset >= 0, offset <= count - 8, let low = little32(offset), let high = little32(offset + 4),
            high < 1 << 31
        else { return nil }
        return Int64(high) << 32 | Int64(low)
    }

    @inlinable package func part(_ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
        return self[startIndex + offset..<startIndex + offset + length]
    }
}
