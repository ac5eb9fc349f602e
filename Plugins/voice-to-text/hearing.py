"""Speech to text by pocketsphinx, with the English model that its wheel ships."""

import array
import io
import wave

from pocketsphinx import Decoder

RATE = 16_000


def heard(data):
    """The words of a WAV file of 16 bits, at most a minute of it; None where there are none."""
    try:
        with wave.open(io.BytesIO(data)) as sound:
            rate, channels = sound.getframerate(), sound.getnchannels()
            if sound.getsampwidth() != 2 or not 8_000 <= rate <= 96_000:
                raise ValueError("16 bits a sample are read, and 8,000 to 96,000 samples a second")
            samples = array.array("h", sound.readframes(rate * 60))[::channels]
    except (wave.Error, EOFError) as error:
        raise ValueError(str(error))
    if rate != RATE:  # the nearest sample: enough for words
        samples = array.array("h", (samples[at * rate // RATE] for at in range(len(samples) * RATE // rate)))
    decoder = Decoder(samprate=RATE, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(samples.tobytes(), full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    return found.hypstr[:200] if found and found.hypstr else None
