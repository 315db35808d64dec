from errata.engines.choosing import make_engine as make_engine
from errata.engines.cores import count_cores as count_cores
from errata.engines.dask_engine import DaskEngine as DaskEngine
from errata.engines.engine import Engine as Engine
from errata.engines.processes import ProcessEngine as ProcessEngine
from errata.engines.serial import SerialEngine as SerialEngine
from errata.engines.threads import ThreadEngine as ThreadEngine
