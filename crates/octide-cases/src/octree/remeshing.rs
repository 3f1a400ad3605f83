//! Frozen fields transferred back and forth between two trees: the error of remeshing alone.

use crate::stage;
use glam::{DVec3, IVec3, Vec3};
use octide_core::geometry::Shape;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::par;
use octide_core::scene::{Scene, Seeding, VolumeCorrection};
use octide_octree::advect::{advect_distance, advect_faces};
use octide_octree::apertures::Apertures;
use octide_octree::driven::on_faces;
use octide_octree::extend::restore_distance;
use octide_octree::mesh::Mesh;
use octide_octree::nodal::CornerVelocity;
use octide_octree::solids::Solids;
use octide_octree::state::State;
use octide_octree::volume::{cell_volume, liquid_volume};
use octide_octree::{OctreeLiquid, Params};
use octide_verify::plot::{Axis, Plot, Scale, Series};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "remeshing",
    title: "A hundred remeshings of frozen fields",
    summary: "changes of the tree alone: contents of cells keep the volume and the shape, which φ by itself loses",
    article: Article {
        problem: "A ball of water with a swirling velocity is frozen in time: nothing moves, but the tree changes a \
            hundred times. Alternately, one half of the ball's surface has finest cells and the other cells of twice \
            the size. Distance and velocity are transferred from tree to tree by the method's own advection with \
            zero velocity, and the distance is redistanced each time. The same with whole steps of the method that do not move anything, \
            with volume that is kept cell by cell.",
        reference: "Nothing should change. The method interpolates linearly where a cell did not exist before: the distance \
            to a ball is convex, so each time the surface moves inward by up to h²/8 times its curvature, and the \
            loss accumulates. Contents of cells are added up and divided, and the surface is moved back to them.",
        measured: "The relative change of volume and of kinetic energy (the sum over faces) after one hundred remeshings \
            without contents, for which no limit is published. With contents: the relative change of their sum; and the largest symmetric \
            difference of the surface from that of the start, Σ |V − V₀| / Σ V₀ with the volumes V of φ in the cells of the \
            first tree.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const CENTER: DVec3 = DVec3::new(0.47, 0.52, 0.5);
const RADIUS: f64 = 0.25;
const TIMES: usize = 100;

/// Levels below roots of an eighth.
fn sizes(quick: bool) -> &'static [u8] {
    if quick { &[2] } else { &[2, 3, 4] }
}

fn quantities(_: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for &levels in sizes(quick) {
        let n = 8u32 << levels;
        all.push(Quantity::new(format!("volume, {n} finest cells a side"), "%").expected(0.0));
        all.push(Quantity::new(format!("kinetic energy, {n} finest cells a side"), "%").expected(0.0));
        let kept = |i: usize| Quantity::new(kept_name(i, n), ["", "%"][i]).expected(0.0);
        all.push(kept(0).limit(Limit::AtMost(1e-12), "rounding"));
        all.push(kept(1).limit(Limit::AtMost(1.0), "our own requirement: 1 %"));
    }
    all
}

/// What is measured with contents.
fn kept_name(i: usize, n: u32) -> String {
    let what = ["change of their sum", "symmetric difference of the surface, most"][i];
    format!("with contents: {what}, {n} finest cells a side")
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let (mut volumes, mut energies, mut differences) = (Vec::new(), Vec::new(), Vec::new());
    for &levels in sizes(context.quick) {
        let n = 8u32 << levels;
        context.progress(&format!("{n} finest cells a side"))?;
        let history = remesh(levels);
        let &[volume, energy] = history.last().unwrap_or(&[f64::NAN; 2]);
        m.set(format!("volume, {n} finest cells a side"), 100.0 * volume);
        m.set(format!("kinetic energy, {n} finest cells a side"), 100.0 * energy);
        let line = |which: usize| {
            let points =
                history.iter().enumerate().map(|(i, h)| [2.0 * i as f64, 100.0 * h[which]]).collect();
            Series::line(format!("{n} finest cells a side"), points)
        };
        volumes.push(line(0));
        energies.push(line(1));
        let kept = remesh_with_contents(levels)?;
        let most = |i: usize| kept.iter().map(|k| k[i].abs()).fold(0.0, f64::max);
        m.set(kept_name(0, n), most(0));
        m.set(kept_name(1, n), 100.0 * most(1));
        let points = kept.iter().enumerate().map(|(i, k)| [2.0 * i as f64, 100.0 * k[1]]).collect();
        differences.push(Series::line(format!("{n} finest cells a side"), points));
    }
    let all = [
        ("Volume", volumes),
        ("Kinetic energy", energies),
        ("With contents: symmetric difference of the surface", differences),
    ];
    for (what, series) in all {
        m.plots.push(Plot {
            title: format!("{what} over remeshings"),
            x: Axis { label: "remeshings".to_owned(), scale: Scale::Linear, ticks: Vec::new() },
            y: Axis { label: "change, %".to_owned(), scale: Scale::Linear, ticks: Vec::new() },
            series,
        });
    }
    Ok(m)
}

/// Returns trees with finest cells at one half of the ball's surface, and at the other.
fn trees(levels: u8) -> [Octree; 2] {
    let dx = 1.0 / f64::from(8u32 << levels);
    let grid = RootGrid::new(DVec3::ZERO, dx, levels, IVec3::ZERO, IVec3::splat(8), |_| true);
    [1.0, -1.0].map(|half| {
        Octree::build(&grid, Grading::Graded, |c| {
            let near = (c.center.distance(CENTER) - RADIUS).abs() < 1.5 * c.size;
            near && (c.level + 1 < levels || (c.center.x - CENTER.x) * half > 0.0)
        })
    })
}

/// Steps between the trees without any motion. Returns the relative change of the sum of the contents and the symmetric
/// difference of the surface, at the start and after every second remeshing.
fn remesh_with_contents(levels: u8) -> Result<Vec<[f64; 2]>, CaseError> {
    let mut scene = Scene::empty("octree", DVec3::ONE, 8u32 << levels, levels)
        .with_liquid(Shape::Sphere { center: CENTER, radius: RADIUS });
    scene.physics.gravity = DVec3::ZERO;
    let params = Params {
        volume_correction: VolumeCorrection::Local,
        particles: Seeding::Off,
        ..Params::from_scene(&scene)
    };
    let [first, second] = trees(levels);
    let mut sim = OctreeLiquid::on_tree(&scene, params, first.clone());
    let measure = |sim: &OctreeLiquid| {
        let State { mesh, phi, apertures, content, .. } = sim.state();
        let volumes = par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, apertures, &Solids::default(), c));
        (volumes, par::sum(mesh.n_cells(), |i| content[CellId(i as u32)]))
    };
    let (start, whole) = measure(&sim);
    let dt = stage::time_step(0.01)?;
    let mut history = vec![[0.0; 2]];
    for _ in 0..TIMES / 2 {
        for tree in [&second, &first] {
            sim.step_driven_on(tree.clone(), dt, &|_| DVec3::ZERO).map_err(CaseError::new)?;
        }
        let (now, sum) = measure(&sim);
        let difference = par::sum(now.len(), |i| (now[CellId(i as u32)] - start[CellId(i as u32)]).abs());
        history.push([sum / whole - 1.0, difference / whole]);
    }
    Ok(history)
}

/// Relative changes of volume and energy at the start and after every second remeshing, on the tree of the
/// start.
fn remesh(levels: u8) -> Vec<[f64; 2]> {
    let meshes = trees(levels).map(Mesh::new);
    let still = [0, 1]
        .map(|i: usize| CornerVelocity::new(&meshes[i], Field::filled(meshes[i].nodes().len(), Vec3::ZERO)));
    let swirl = |p: DVec3| {
        let r = p - CENTER;
        DVec3::new(-r.y, r.x, 0.3 * (9.0 * r.x).sin())
    };
    let first = &meshes[0];
    let measure = |phi: &_, u: &Field<FaceId, f64>| {
        let none = Solids::default();
        let energy = par::sum(first.n_faces(), |i| {
            let k = FaceId(i as u32);
            let s = first.faces.stencil(&first.tree, k);
            s.length * first.face_size(k).powi(2) * u[k] * u[k]
        });
        [liquid_volume(first, phi, &Apertures::within_walls(first, &none), &none), energy]
    };
    let mut phi = par::map(first.n_cells(), |c| first.tree.center(c).distance(CENTER) - RADIUS);
    let mut u = on_faces(first, &swirl);
    let start = measure(&phi, &u);
    let mut history = vec![[0.0; 2]];
    for i in 0..TIMES {
        let (from, to) = (i % 2, (i + 1) % 2);
        let (old, new) = (&meshes[from], &meshes[to]);
        u = advect_faces(old, &u, &still[from], new, 0.01, |_| true);
        let open = [old, new].map(|mesh| Apertures::within_walls(mesh, &Solids::default()));
        let carried = advect_distance(old, &phi, &open[0], &still[from], new, 0.01);
        phi = restore_distance(new, &carried, &open[1]);
        if to == 0 {
            let now = measure(&phi, &u);
            history.push([now[0] / start[0] - 1.0, now[1] / start[1] - 1.0]);
        }
    }
    history
}
