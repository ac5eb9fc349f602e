#!/usr/bin/env python3
"""Makes the sample music and recordings in this folder: tones, with invented names.

The encoders of another version may write other bytes; what is said in the tags stays the same.
Needs ffmpeg.  Usage: python3 samples/make-audio.py
"""
import os, shutil, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def sound(path, frequency, seconds, rate, options, **tags):
    """Writes a sine tone with these tags."""
    full = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    told = [word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"sine={frequency}:duration={seconds}", "-ac", "1",
                    "-ar", str(rate), *options, "-fflags", "+bitexact", "-flags", "+bitexact", *told, full], check=True)


def music():
    shutil.rmtree(os.path.join(HERE, "music"), ignore_errors=True)
    band = dict(artist="Ada & the Byrons", album="First Light", album_artist="Ada & the Byrons", genre="Folk", date="2019")
    sound("music/First Light/01 Dawn.mp3", 220, 2, 16000, ["-b:a", "16k", "-id3v2_version", "3"],
          title="Dawn", track="1/3", disc="1/1", composer="Esi Grønn", **band)
    sound("music/First Light/02 Noon.mp3", 247, 3, 16000, ["-b:a", "16k", "-id3v2_version", "4", "-write_xing", "0"],
          title="Noon – Mittag", track="2/3", disc="1/1", **band)
    sound("music/First Light/03 Dusk.flac", 262, 2, 8000, ["-sample_fmt", "s16"],
          title="Dusk", track="3", disc="1", **band)
    trio = dict(artist="Trio Kovač", album="Weather", genre="Chamber Music", date="2024-11-05")
    sound("music/Weather/1 Rain.ogg", 294, 2, 16000, ["-c:a", "libvorbis", "-q:a", "0"],
          title="雨", track="1", composer="Keiko Hara", **trio)
    sound("music/Weather/2 Wind.opus", 330, 2, 16000, ["-c:a", "libopus", "-b:a", "8k"], title="Wind", track="2", **trio)
    sound("music/Weather/3 Snow.m4a", 349, 2, 16000, ["-c:a", "aac", "-b:a", "16k"],
          title="Snow", track="3/4", disc="1/2", **trio)
    sound("music/Weather/4 Fog.wav", 392, 1, 8000, ["-c:a", "pcm_u8"], title="Fog", track="4", **trio)
    sound("music/scale.aiff", 440, 1, 8000, ["-c:a", "pcm_s8", "-write_id3v2", "1"], title="Scale", artist="Nobody")
    sound("music/unnamed.mp3", 440, 1, 16000, ["-b:a", "16k", "-id3v2_version", "0"])
    # ID3v1.1, which ffmpeg writes for some genres only.
    with open(os.path.join(HERE, "music/unnamed.mp3"), "ab") as file:
        file.write(b"TAG" + b"Old Tag".ljust(30, b"\0") + b"Nobody".ljust(60, b"\0") + b"1998" + bytes(29) + b"\x07\x08")


def recordings():
    shutil.rmtree(os.path.join(HERE, "recordings"), ignore_errors=True)
    sound("recordings/20260301 120000.m4a", 200, 4, 16000, ["-c:a", "aac", "-b:a", "16k"],
          title="Shopping list", creation_time="2026-03-01T11:00:00Z")
    sound("recordings/20260302 interview.wav", 210, 1, 8000, ["-c:a", "pcm_u8", "-write_bext", "1"],
          origination_date="2026-03-02", origination_time="09:30:00")
    sound("recordings/voice note.opus", 230, 3, 16000, ["-c:a", "libopus", "-b:a", "8k"], date="2026-03-03T18:45:10Z")


music()
recordings()
