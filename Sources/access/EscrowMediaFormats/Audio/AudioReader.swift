package import EscrowFormats
package import EscrowSourceFiles

/// Reads an audio file's tags and length, in the format that its first bytes tell.
package enum AudioReader {
    /// What the file says, and what could not be read of it.
    package static func read(
        _ file: inout WindowedFile, needs: AudioNeeds, zone: LocalZone
    ) -> (facts: AudioFacts, problem: FileProblem?) {
        var facts = AudioFacts()
        guard let head = file.available(at: 0, upTo: 12), head.count >= 12 else {
            let problem = file.failure.map { FileProblem.unreadable(errno: $0) }
            return (facts, problem ?? FileProblem("the file is too short", partial: true))
        }
        let isWhole: Bool
        if head.starts(with: "fLaC".utf8) {
            isWhole = FLACReader.read(&file, at: 0, into: &facts)
        } else if head.starts(with: "OggS".utf8) {
            isWhole = OggReader.read(&file, needs: needs, into: &facts)
        } else if head.starts(with: "RIFF".utf8) || head.starts(with: "RF64".utf8),
            head.dropFirst(8).elementsEqual("WAVE".utf8)
        {
            isWhole = WaveReader.read(&file, zone: zone, into: &facts)
        } else if head.starts(with: "FORM".utf8), head.dropFirst(8).starts(with: "AIF".utf8) {
            isWhole = AIFFReader.read(&file, into: &facts)
        } else if ASFReader.header.starts(with: head) {
            isWhole = ASFReader.read(&file, into: &facts)
        } else if head.starts(with: MatroskaReader.signature) {
            isWhole = MatroskaReader.read(&file, into: &facts)
        } else if FramedAudio.isAMR(head) {
            if needs.contains(.duration) { facts.duration = FramedAudio.lengthOfAMR(&file) }
            isWhole = !needs.contains(.duration) || facts.duration != nil
        } else if MovieReader.isMovie(head) {
            isWhole = readMovie(&file, into: &facts)
        } else {
            guard let found = readMPEG(&file, needs: needs, into: &facts) else {
                return (facts, FileProblem("no audio of a kind whose header is read", partial: true))
            }
            isWhole = found
        }
        if let failure = file.failure { return (facts, .unreadable(errno: failure)) }
        return (facts, isWhole ? nil : FileProblem("damaged or incomplete tags", partial: true))
    }

    private static func readMovie(_ file: inout WindowedFile, into facts: inout AudioFacts) -> Bool {
        guard let movie = MovieReader.read(&file) else { return false }
        facts = movie.tags
        facts.duration = movie.duration
        facts.recorded = movie.created
        return !movie.isDamaged
    }

    /// MP3 and its kin: a tag at the beginning or at the end, and frames. Nil if there is neither a tag nor a frame.
    private static func readMPEG(
        _ file: inout WindowedFile, needs: AudioNeeds, into facts: inout AudioFacts
    ) -> Bool? {
        var isWhole = true
        var start: Int64 = 0
        var tags = 0
        // Some programs put a new tag before the old one; the first one that knows something counts.
        while tags < 4, let tag = ID3Reader.read(&file, at: start, into: &facts) {
            isWhole = isWhole && tag.isWhole
            start = min(tag.end, file.size)
            tags += 1
        }
        if tags > 0, file.bytes(at: start, count: 4)?.elementsEqual("fLaC".utf8) == true {
            return FLACReader.read(&file, at: start, into: &facts) && isWhole
        }
        var old = AudioFacts()
        let hasOldTag =
            (facts.lacksNames || needs.contains(.duration)) && ID3v1.read(&file, into: &old)
        facts.fill(from: old)
        if needs.contains(.duration) {
            let end = hasOldTag ? file.size - Int64(ID3v1.size) : file.size
            let isADTS = file.bytes(at: start, count: 2).map(FramedAudio.isADTS) ?? false
            let isADIF = file.bytes(at: start, count: 4).map(FramedAudio.isADIF) ?? false
            facts.duration =
                isADIF
                ? FramedAudio.lengthOfADIF(&file, from: start)
                : isADTS
                    ? FramedAudio.lengthOfADTS(&file, from: start, to: end)
                    : MPEGAudio.duration(&file, from: start, to: end)
            if facts.duration == nil, tags == 0, !hasOldTag { return nil }
        } else if tags == 0, !hasOldTag {
            // Whether it is MPEG at all is only asked where the length is; a file without tags is none that is damaged.
            return true
        }
        return isWhole
    }
}
