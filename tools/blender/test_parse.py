"""Checks how octide_import.py reads files, without Blender:

    python3 tools/blender/test_parse.py [RUN_DIR...]

Of each run's folder it reads all surfaces and particles, and compares their volumes with frames.csv.
"""

import csv
import importlib.util
import math
import os
import struct
import sys
import tempfile
import types

HERE = os.path.dirname(os.path.abspath(__file__))


def load_script():
    """The script with empty modules in place of Blender's."""
    handlers = types.SimpleNamespace(persistent=lambda f: f)
    for event in ("frame_change_pre", "render_pre", "render_post", "render_cancel"):
        setattr(handlers, event, [])
    bpy = types.ModuleType("bpy")
    bpy.app = types.ModuleType("bpy.app")
    bpy.app.handlers = types.ModuleType("bpy.app.handlers")
    vars(bpy.app.handlers).update(vars(handlers))
    mathutils = types.ModuleType("mathutils")
    mathutils.Vector = tuple
    sys.modules.update({"bpy": bpy, "bpy.app": bpy.app, "bpy.app.handlers": bpy.app.handlers, "mathutils": mathutils})
    spec = importlib.util.spec_from_file_location("octide_import", os.path.join(HERE, "octide_import.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_particles(path, rows, up="y", n_bytes=None, properties=None):
    """The layout of octide-io's writer."""
    head = ["ply", "format binary_little_endian 1.0", "comment octide 0.1.0 particles", f"comment up {up}"]
    head += ["comment unit m", "comment time 0.5 s", f"element vertex {len(rows)}"]
    names = "float x,float y,float z,float vx,float vy,float vz,float radius,uchar kind,uint id"
    head += [f"property {p}" for p in (properties or names).split(",")] + ["end_header\n"]
    data = "\n".join(head).encode() + b"".join(struct.pack("<7fBI", *row) for row in rows)
    with open(path, "wb") as file:
        file.write(data[:n_bytes])


def drops_are_read_and_particles_of_water_are_not(script, tmp):
    path = os.path.join(tmp, "a.ply")
    write_particles(path, [(1, 2, 3, 4, 5, 6, 0.5, 1, 7), (0, 0, 0, 0, 0, 0, 9, 0, 8), (-1, 0, 2, 0, 1, 0, 0.25, 1, 9)], "z")
    spray = script.read_spray(path)
    assert (spray.n, spray.up) == (2, "z")
    assert list(spray.positions) == [1, 2, 3, -1, 0, 2] and list(spray.velocities) == [4, 5, 6, 0, 1, 0]
    assert list(spray.radii) == [0.5, 0.25]
    write_particles(path, [])
    assert script.read_spray(path) == script.NO_SPRAY


def mistakes_are_told(script, tmp):
    path = os.path.join(tmp, "b.ply")
    row = (1, 2, 3, 4, 5, 6, 0.5, 1, 7)
    for n_bytes, properties, words in (
        (-3, None, "cut short"),
        (40, None, "not a binary little-endian PLY"),
        (None, "float x,float y", "does not hold particles"),
    ):
        write_particles(path, [row], n_bytes=n_bytes, properties=properties)
        try:
            script.read_spray(path)
        except script.Problem as e:
            assert words in str(e), e
        else:
            raise AssertionError(f"no error with {words!r}")
    assert script.spray_files(tmp) == {}


def volume_of(surface):
    xs, corners, six = surface.positions, surface.corners, 0.0
    for t in range(0, len(corners), 3):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (xs[3 * k : 3 * k + 3] for k in corners[t : t + 3])
        six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return six / 6


def a_real_run(script, run):
    """The files hold the volumes that frames.csv says."""
    values = script.read_scene(run)
    first, how = values.get("output.first_frame", 0), values.get("output.spray", "particles")
    surfaces, particles = script.surface_files(run), script.spray_files(run)
    with open(os.path.join(run, "frames.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows and len(rows) == len(surfaces), (len(rows), len(surfaces))
    worst = 0.0
    for row in rows:
        number = first + int(row["frame"])
        spray = script.read_spray(particles[number]) if number in particles else script.NO_SPRAY
        mesh, drops = volume_of(script.read_surface(surfaces[number])), sum(4 / 3 * math.pi * r**3 for r in spray.radii)
        liquid, told = float(row["liquid_m3"]), {k: float(row[k]) for k in ("mesh_m3", "drops_m3", "in_walls_m3")}
        scale = max(liquid, told["mesh_m3"], 1e-12)
        if how == "surface":
            assert not spray.n and abs(mesh - told["mesh_m3"] - told["drops_m3"]) < 2e-4 * scale, row
        else:
            assert abs(mesh - told["mesh_m3"]) < 2e-4 * scale, (row, mesh)
            assert how == "none" or (spray.n == int(row["drops"]) and abs(drops - told["drops_m3"]) < 2e-4 * scale), row
        if liquid:
            worst = max(worst, abs((told["mesh_m3"] - told["in_walls_m3"] + told["drops_m3"]) / liquid - 1))
    print(f"{run}: {len(rows)} frames, shown and there differ by at most {100 * worst:.2f} %")


def main():
    script = load_script()
    with tempfile.TemporaryDirectory() as tmp:
        drops_are_read_and_particles_of_water_are_not(script, tmp)
        mistakes_are_told(script, tmp)
    for run in sys.argv[1:]:
        a_real_run(script, run)
    print("octide_import.py reads its files")


main()
