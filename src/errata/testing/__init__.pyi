from errata.testing.laws import LAWS as LAWS
from errata.testing.laws import BrokenLawError as BrokenLawError
from errata.testing.laws import DoesNotApply as DoesNotApply
from errata.testing.laws import Law as Law
from errata.testing.laws import check_metric as check_metric
from errata.testing.samples import list_variants as list_variants
from errata.testing.samples import make_sample_corpora as make_sample_corpora
from errata.testing.samples import make_sample_systems as make_sample_systems
