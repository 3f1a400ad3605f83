//! The octree: cells, neighbours, faces and nodes.
