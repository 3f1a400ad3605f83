"""Checks octide_import.py in a real Blender, on made-up runs; run by hand, takes some seconds:

    blender -b --factory-startup --python-exit-code 1 --python tools/blender/test_import.py
    python tools/blender/test_import.py        # where bpy is installed as a module

Options after `--` (or after the script): a run's folder to check as well, and --keep DIR for the pictures.
"""

import importlib.util
import math
import os
import struct
import sys
import tempfile

import bpy

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "octide_import.py")
SPEED = 60.0  # m/s upwards: 1.25 m while the shutter is open, which no one can overlook


def load_script():
    spec = importlib.util.spec_from_file_location("octide_import", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_ply(path, up, points, triangles, velocity, n_bytes=None):
    """The layout of octide-io's writer; points and velocity have y up."""
    turn = (lambda v: v) if up == "y" else (lambda v: (v[0], -v[2], v[1]))
    head = ["ply", "format binary_little_endian 1.0", "comment octide 0.1.0 liquid surface", f"comment up {up}"]
    head += ["comment unit m", "comment time 0.0 s", f"element vertex {len(points)}"]
    head += [f"property float {p}" for p in "x y z nx ny nz vx vy vz".split()]
    head += [f"element face {len(triangles)}", "property list uchar int vertex_indices", "end_header\n"]
    data = "\n".join(head).encode()
    for p in points:
        data += struct.pack("<9f", *turn(p), *turn((0, 1, 0)), *turn(velocity))
    for t in triangles:
        data += struct.pack("<B3i", 3, *t)
    with open(path, "wb") as file:
        file.write(data[:n_bytes])


def tower(k):
    """A pyramid of height k + 1 over a fan of k + 3 points, in octide's axes: another topology each frame."""
    n = k + 3
    ring = [(math.cos(2 * math.pi * i / n), 0.0, math.sin(2 * math.pi * i / n)) for i in range(n)]
    sides = [((i + 1) % n, i, n) for i in range(n)]
    return ring + [(0.0, k + 1.0, 0.25)], sides


def make_run(folder, up="y", first=0, fps=23.976, missing=(), broken=(), empty=()):
    os.makedirs(os.path.join(folder, "surface"))
    with open(os.path.join(folder, "scene.toml"), "w") as file:
        file.write('octide = 1\nname = "towers"\n\n[domain]\nsize = [4.0, 8.0, 4.0]\norigin = [-2.0, 0.0, -2.0]\n')
        file.write('\n[camera]\nposition = [0.0, 2.5, 8.0]\ntarget = [0.0, 2.0, 0.0]\nfov = 35.0\n')
        file.write(f'\n[time]\nframes = 5\nfps = {fps!r}\n\n[output]\nup = "{up}"\nfirst_frame = {first}\ncells = false\n')
    for k in range(6):
        path = os.path.join(folder, "surface", f"{first + k:04}.ply")
        if k not in missing:
            points, triangles = ([], []) if k in empty else tower(k)
            write_ply(path, up, points, triangles, (0.0, SPEED, 0.0), -20 if k in broken else None)
    return folder


def fresh():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def top(obj, at_frame):
    """The highest point as it stands in the world, from what the depsgraph evaluates, and the number of vertices."""
    bpy.context.scene.frame_set(at_frame)
    seen = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = [seen.matrix_world @ v.co for v in seen.data.vertices]
    return max(points, key=lambda p: p.z), len(points)


def close(a, b):
    assert all(abs(x - y) < 1e-4 for x, y in zip(a, b)), (tuple(a), tuple(b))


def stands_upright_and_changes(script, tmp):
    for up, first, start in (("y", 0, 1), ("z", 1001, 20)):
        fresh()
        obj = script.import_run(make_run(os.path.join(tmp, f"up-{up}"), up, first), frame_start=start)
        scene = bpy.context.scene
        assert (scene.frame_start, scene.frame_end) == (start, start + 5)
        assert abs(scene.render.fps / scene.render.fps_base - 23.976) < 1e-4
        for k in (0, 1, 4, 2, 5):
            highest, n = top(obj, start + k)
            assert n == k + 4, (up, k, n)
            close(highest, (0.0, -0.25, k + 1.0))
            mesh = obj.data
            assert len(mesh.polygons) == k + 3 and all(p.use_smooth for p in mesh.polygons)
            velocity = mesh.attributes["velocity"]
            assert (velocity.data_type, velocity.domain) == ("FLOAT_VECTOR", "POINT")
            turned = obj.matrix_world.to_3x3() @ velocity.data[k].vector
            close(turned, (0.0, 0.0, SPEED))
            assert not mesh.validate(), "the mesh had faults"
        # Standing still beyond both ends.
        assert top(obj, start - 3)[1] == 4 and top(obj, start + 50)[1] == 9
        # Time stretched to twice its length: frame 2 start + 4 shows what start + 2 showed.
        scene.render.frame_map_old, scene.render.frame_map_new = 100, 200
        assert top(obj, 2 * (start + 2))[1] == 6, "time stretching"


def gaps_keep_the_frame_before(script, tmp):
    fresh()
    script.told.clear()
    obj = script.import_run(make_run(os.path.join(tmp, "gaps"), missing=(2,), broken=(3,), empty=(4,)))
    assert [top(obj, f)[1] for f in (1, 2, 3, 4)] == [4, 5, 5, 5]
    bpy.context.scene.frame_set(5)
    assert len(obj.data.vertices) == 0, "a frame without liquid"
    assert top(obj, 6)[1] == 9
    said = "\n".join(script.told)
    for words in ("0002.ply is missing; showing 0001.ply", "cut short", "0003.ply cannot be used; showing 0001.ply"):
        assert words in said, said


def mistakes_are_told(script, tmp):
    fresh()
    bare = os.path.join(tmp, "bare")
    os.makedirs(os.path.join(bare, "surface"))
    other = os.path.join(tmp, "other.ply")
    with open(other, "w") as file:
        file.write("ply\nformat ascii 1.0\nend_header\n")
    cases = (
        (lambda: script.import_run(os.path.join(tmp, "nowhere")), "not a folder"),
        (lambda: script.import_run(tmp), "surface cannot be read"),
        (lambda: script.import_run(bare), "holds no surface"),
        (lambda: script.import_volume(bare), "output.volume=true"),
        (lambda: script.read_surface(other), "not a binary little-endian PLY"),
    )
    for wrong, words in cases:
        try:
            wrong()
        except script.Problem as e:
            assert words in str(e), e
        else:
            raise AssertionError(f"not refused: {words}")
    assert not bpy.data.objects, "a refused run left something behind"


def a_saved_file_works_again(script, tmp):
    fresh()
    obj = script.import_run(make_run(os.path.join(tmp, "saved")))
    path = os.path.join(tmp, "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    name = obj.name
    handlers = bpy.app.handlers.frame_change_pre
    for handler in list(handlers):
        handlers.remove(handler)
    bpy.ops.wm.open_mainfile(filepath=path, use_scripts=True)
    assert len(handlers) == 1, "the script in the file was not run"
    assert top(bpy.data.objects[name], 5)[1] == 8


def picture(path, frame):
    scene = bpy.context.scene
    render = scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = 160, 90, 100
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.seed = 8, False, 0
    scene.frame_start = scene.frame_end = frame
    render.filepath = path + "-####"
    bpy.ops.render.render(animation=True)
    image = bpy.data.images.load(f"{path}-{frame:04}.png")
    pixels = list(image.pixels)
    bpy.data.images.remove(image)
    return pixels


def difference(a, b):
    return sum(abs(x - y) for x, y in zip(a, b)) / len(a)


def renders_with_motion_blur(script, tmp, keep):
    fresh()
    obj = script.import_run(make_run(os.path.join(tmp, "render")), stage=True)
    scene = bpy.context.scene
    folder = keep or tmp
    counts = set()
    bpy.app.handlers.render_post.append(lambda *_: counts.add(len(obj.data.vertices)))
    still = picture(os.path.join(folder, "still"), 4)
    assert difference(still, picture(os.path.join(folder, "early"), 2)) > 0.01, "all frames look the same"
    assert counts == {7, 5}, counts
    assert difference(still, picture(os.path.join(folder, "again"), 4)) < 1e-3
    scene.render.use_motion_blur = True
    while_open = set()
    bpy.app.handlers.frame_change_post.append(lambda s, *_: while_open.add((s.frame_subframe != 0, len(obj.data.vertices))))
    blurred = difference(still, picture(os.path.join(folder, "blurred"), 4))
    assert blurred > 0.003, f"velocity does not blur: {blurred}"
    assert (True, 7) in while_open and (True, 6) not in while_open, f"the mesh changes within a frame: {while_open}"
    bpy.app.handlers.frame_change_post.clear()
    bpy.app.handlers.render_post.pop()


def exports_every_frame(script, tmp):
    if not getattr(bpy.app.build_options, "usd", False):
        print("no USD in this Blender: export not checked")
        return
    fresh()
    script.import_run(make_run(os.path.join(tmp, "export"), missing=(1,)))
    path = os.path.join(tmp, "towers.usdc")
    bpy.ops.wm.usd_export(filepath=path, export_animation=True)
    fresh()
    # The export carries the custom properties too: with the handler, it would be filled from the run's folder again.
    bpy.app.handlers.frame_change_pre.clear()
    bpy.ops.wm.usd_import(filepath=path)
    obj = next(o for o in bpy.data.objects if o.type == "MESH")
    for frame in (3, 6):
        highest, n = top(obj, frame)
        assert n == frame + 3, (frame, n)
        close(highest, (0.0, -0.25, frame))
    seen = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert "velocity" in seen.attributes, list(seen.attributes.keys())


def a_real_run(script, run):
    fresh()
    obj = script.import_run(run)
    scene = bpy.context.scene
    print("frame, vertices, fastest m/s, bounds in the world")
    counts = set()
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        counts.add(len(obj.data.vertices))
        points = [obj.matrix_world @ v.co for v in obj.data.vertices]
        fastest = max((v.vector.length for v in obj.data.attributes["velocity"].data), default=0.0)
        bounds = [f"{min(p[i] for p in points):.3f}..{max(p[i] for p in points):.3f}" for i in range(3)] if points else []
        print(frame, len(points), f"{fastest:.3f}", *bounds)
    assert len(counts) > 1, "every frame has as many vertices"


def a_real_volume(script, run):
    """The mesh of the level set stands where the surface of the same frame stands."""
    fresh()
    obj = script.import_volume(run)
    scene = bpy.context.scene
    step = bpy.data.volumes[0].grids[0].matrix_object[0][0]
    print("frame, vertices of the volume's mesh, how far its bounds are from the surface's, in voxels")
    for frame, path in zip(range(scene.frame_start, scene.frame_end + 1), script.surface_files(run).values()):
        scene.frame_set(frame)
        seen = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        surface = script.read_surface(path)
        if not surface.n_vertices:
            assert not seen.vertices
            continue
        here = script.bounds(v.co for v in seen.vertices)
        there = script.bounds(zip(*[iter(surface.positions)] * 3))
        far = max(abs(x - y) for a, b in zip(here, there) for x, y in zip(a, b)) / step
        print(frame, len(seen.vertices), f"{far:.3f}")
        assert far < 0.4, "the mesh is out of place"


def main():
    is_module = getattr(bpy.app, "module", False)
    given = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:] if is_module else []
    keep = given.pop(given.index("--keep") + 1) if "--keep" in given else None
    runs = [g for g in given if g != "--keep"]
    if keep:
        os.makedirs(keep, exist_ok=True)
    script = load_script()
    with tempfile.TemporaryDirectory() as tmp:
        stands_upright_and_changes(script, tmp)
        gaps_keep_the_frame_before(script, tmp)
        mistakes_are_told(script, tmp)
        a_saved_file_works_again(script, tmp)
        renders_with_motion_blur(script, tmp, keep)
        exports_every_frame(script, tmp)
    for run in runs:
        a_real_run(script, run)
        if os.path.isdir(os.path.join(run, "volume")):
            a_real_volume(script, run)
    print(f"octide_import.py works in Blender {bpy.app.version_string}")


main()
