"""VLC: what there is to play, and the player told."""

import os

from .desktop import Desktop
from .home import sent
from .sheets import written


def check(day):
    folder = os.path.join(day.folder, "Documents")
    os.makedirs(f"{folder}/Films")
    for name, size in (("Films/holiday.mp4", 3 << 20), ("song.mp3", 1000), ("letter.txt", 10)):
        with open(f"{folder}/{name}", "wb") as file:
            file.write(bytes(size))
    # Where a desktop mounts a volume of the network is a folder as well.
    volume = os.path.join(day.folder, "gvfs/smb-share:server=nas,share=films")
    os.makedirs(volume)
    with open(f"{volume}/space.mkv", "wb") as file:
        file.write(bytes(2 << 20))
    day.source("documents", folder)
    day.source("documents", volume)
    day.allow("media-list", "org.videolan.vlc")
    day.allow("media-control", "org.videolan.vlc")
    output = day.app("vlc")
    assert output == "     3 MiB  Films/holiday.mp4\n     1 MiB  song.mp3\n     2 MiB  space.mkv\n", output
    assert day.app("vlc", "pause", status=16) == "", "a player was told where there is no desktop"
    desktop = Desktop(day)
    assert day.app("vlc", "pause") == "" and day.app("vlc", "play") == ""
    assert [line.split()[0] for line in open(desktop.log)] == ["Pause", "Play"], "the player was told something else"
    day.direct("vlc", "play")
    assert day.direct("vlc", folder, volume).splitlines() == output.splitlines()
    assert len(desktop.said("Play")) == 2
    desktop.end()
    assert "on this device" in written["media-control"], "the sheet does not say what it may do here"
    assert not sent(day) and "letter" not in output
